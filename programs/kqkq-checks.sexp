(program
  (version 1)
  (functions 34912868024a237e)
  (endings KQKQ)
  (provenance "tuner 0.2.0; profile kqkq2, SHA-256 79946a3537f6b6977dbf03502974f7ff653d7562fdd83d1f5e31f760404f6e05; run 1, seed 5659555833751644, generation 149; score 0.818 in 500 games against random moves, score 0.494 in 500 games against master.sexp")
  (advantage
    (If3
      (Or2
        (And2
          (Or3 IsMate IsStalemate MyPiecesSameLine)
          (And2
            (And2
              (And3
                (Or2
                  (Or3 MyPiecesSameLine IsMyKingNotBehindPiece OppPieceCanBeCaptured)
                  (And3 IsMaterialIncrease IsPieceWonNext IsOppNotFork))
                (Or2 IsMate IsMyKingNotBehindPiece)
                (Or2
                  (Or3 IsMateInOne IsOppKingStuck IsOppQueenAttacked)
                  (Smaller IsDraw IsPieceWonNext)))
              MyPiecesSameLine)
            (Or2 IsMate IsMyKingNotBehindPiece)))
        (And3
          (Or2
            (Or2
              (And2 -1000*MateInOne (Not (Smaller IsMyKingNotBehindPiece NotStallmateAdv)))
              IsOppKingInCheck)
            (And3 IsMaterialIncrease IsPieceWonNext IsOppNotFork))
          (Or2 IsMate IsMyKingNotBehindPiece)
          (Or2
            (And2
              (Or3 (Or2 MyPiecesSameLine IsOppKingInCheck) IsStalemate MyPiecesSameLine)
              (And2
                (And2
                  (And3
                    (Or2
                      (Or3 MyPiecesSameLine IsMyKingNotBehindPiece OppPieceCanBeCaptured)
                      (And3 IsMaterialIncrease IsPieceWonNext IsOppNotFork))
                    (Or2 IsMate IsMyKingNotBehindPiece)
                    (Or2
                      (Or3 IsMateInOne IsOppKingStuck IsOppQueenAttacked)
                      (Smaller IsDraw IsPieceWonNext)))
                  MyPiecesSameLine)
                (Or2 IsMate IsMyKingNotBehindPiece)))
            (Smaller IsDraw IsPieceWonNext))))
      (If3 IsMateInOne EvaluateMaterial NumOppPiecesAttacked)
      (If3
        (Or3
          (Not (Smaller IsMyKingNotBehindPiece NotStallmateAdv))
          (Not (Or2 IsMate IsMyKingNotBehindPiece))
          IsMateInTwo)
        (If3
          (And3 NotMyPieceAttUnprotected NotMyPieceAttacked OppPiecesNotSameLine)
          (If3 MyPiecesSameLine MyKingProxRook NumMyPiecesNotAttacked)
          (If3 IsMateInOne EvaluateMaterial NumOppPiecesAttacked))
        (If3
          (Not (And3 NotMyPieceAttUnprotected NotMyPieceAttacked IsDraw))
          (If3
            (And3 NotMyPieceAttUnprotected NotMyPieceAttacked OppPiecesNotSameLine)
            (If3 IsStalemate MyKingProxRook NumMyPiecesNotAttacked)
            (If3
              (And3 NotMyPieceAttUnprotected NotMyPieceAttacked OppPiecesNotSameLine)
              (If3 IsStalemate MyKingProxRook NumMyPiecesNotAttacked)
              (If3 IsStalemate MyKingProxRook NumMyPiecesNotAttacked)))
          (If3
            (Not (Or2 MyPiecesSameLine IsOppKingInCheck))
            (If3
              (And3 NotMyPieceAttUnprotected NotMyPieceAttacked OppPiecesNotSameLine)
              (If3 IsMyKingProtectingPiece NumOppPiecesAttacked -1000*MateInOne)
              (If3
                (Not (Or2 MyPiecesSameLine IsOppKingInCheck))
                (If3 IsStalemate MyKingProxRook -1000*MateInOne)
                (If3
                  (Or3 IsMate IsStalemate MyPiecesSameLine)
                  (If3 OppKingInCheckPieceBehind NumMyPiecesNotAttacked NumOppPiecesAttacked)
                  (If3 IsMyKingProtectingPiece NumOppPiecesAttacked -1000*MateInOne))))
            (If3 IsStalemate MyKingProxRook NumMyPiecesNotAttacked))))))
  (even
    (If3
      (And2
        (Not
          (Smaller
            (And2 IsMateInOne IsMyPieceNotPinned)
            (Not (Or2 (Or2 IsStalemate IsOppKingInCheck) IsOppQueenAttacked))))
        (Or2
          (Smaller
            (And2 IsOppQueenAttacked NotStallmateAdv)
            (Or3 IsMateInTwo -1000*MateInOne IsStalemate))
          (Or2
            (Smaller OppKingInCheckPieceBehind IsMyQueenNotAttacked)
            (Not OppPiecesNotSameLine))))
      (If3
        (Smaller
          (Smaller (Smaller -1000*MateInOne IsDraw) (And2 IsOppNotFork IsOppPiecePinned))
          (Smaller
            (And2 IsOppNotFork NotMyKingInCheck)
            (Smaller IsOppNotFork IsMyKingNotStuck)))
        (If3
          IsMyFork
          (If3
            (Or3 IsMyKingProtectingPiece NotMyPieceAttUnprotected MyPieceCannotBeCaptured)
            (If3 IsOppKingBehindPiece -3/1000 ValueOppPiecesAttacking)
            (If3 NotStallmateAdv -4/1000 MyKingProxRook))
          (If3
            (Smaller NotMyPieceAttacked IsPieceWonNext)
            (If3 MyPieceCannotBeCaptured 10*MaterialValue 10*MaterialValue)
            (If3 OppKingInCheckPieceBehind NumOppPiecesAttacked EvaluateMaterial)))
        (If3
          (Or2
            (Or2 NotMyKingInCheck IsOppKingProtectingPiece)
            (Or3 IsMateInOne NotMyKingInCheck IsPieceWonNext))
          (If3
            (Smaller IsMyQueenNotAttacked IsOppKingStuck)
            (If3 MyPieceCannotBeCaptured 10*MaterialValue 10*MaterialValue)
            (If3 IsOppKingBehindPiece 4/1000 ValueMyPiecesAttacking))
          (If3 NotMyKingInCheck EvaluateMaterial ValueOppPiecesAttacking)))
      (If3
        (And3
          (Or3
            (Or2 NotMyKingInCheck IsOppKingProtectingPiece)
            (Or2 IsOppQueenAttacked IsOppKingProtectingPiece)
            (Smaller
              (Smaller
                (Smaller -1000*MateInOne IsDraw)
                (And2 IsOppNotFork IsOppPiecePinned))
              (Smaller
                (And2 IsOppNotFork NotMyKingInCheck)
                (Smaller IsOppNotFork IsMyKingNotStuck))))
          (And2
            (Or3 IsOppQueenAttacked OppCannotCheckAndWin IsMate)
            (Not NotMyPieceAttacked))
          (Not (And3 NotMyPieceAttUnprotected OppKingInCheckPieceBehind IsMyFork)))
        (If3 IsMateInOne MyKingProxRook EvaluateMaterial)
        (If3
          (Not (Not OppPiecesNotSameLine))
          (If3
            (Not OppPiecesNotSameLine)
            (If3 NotMyKingInCheck EvaluateMaterial ValueOppPiecesAttacking)
            (If3 IsOppKingInCheck ValueOppPiecesAttacking OppKingProximityToEdges))
          (If3 IsMateInOne MyKingProxRook EvaluateMaterial)))))
  (disadvantage
    (If3
      (Or3
        OppPieceCanBeCaptured
        (And3
          (Not IsMateInTwo)
          (And3 MyPiecesSameLine OppCannotCheckAndWin IsMyKingProtectingPiece)
          (Or2 IsMateInTwo OppPieceCanBeCaptured))
        (Or3
          (Not IsMyPieceNotPinned)
          (And2 (Not IsMaterialIncrease) IsMyPieceNotPinned)
          (And2 IsOppKingProtectingPiece IsMyKingNotBehindPiece)))
      (If3
        (Not IsOppKingProtectingPiece)
        ValueOppPiecesAttacking
        (If3
          (Not (Not NotMyPieceAttUnprotected))
          NumMovesMyKing
          (If3 IsMyPieceNotPinned -1000*MateInOne NumMyPiecesNotAttacked)))
      (If3
        (Or3
          (Or2 IsMateInTwo OppPieceCanBeCaptured)
          IsMyPieceNotPinned
          (Or2 MyPieceCannotBeCaptured IsOppPiecePinned))
        OppKingDistRook
        OppKingProximityToEdges))))
