(program
  (version 1)
  (functions bd5a8a307630954d)
  (endings KQRKQR)
  (provenance "tuner 0.2.0; profile kqrkqr, SHA-256 3b69437fb2b0c86cf30a84c8990f86f75652f5c1061b79ca1adbf28113012a0f; run 1, seed 5659555833751644, generation 59; score 0.934 in 500 games against random moves, score 0.177 in 500 games against master.sexp")
  (advantage
    (If3
      (And3 IsOppPiecePinned IsOppKingInCheck IsMyQueenNotAttacked)
      (If3
        (And2
          IsOppQueenAttacked
          (Or3
            (Or2
              (Smaller
                IsMyPieceNotPinned
                (Or3 NotMyPieceAttUnprotected OppKingInCheckPieceBehind NotMyKingInCheck))
              (Smaller
                IsDraw
                (And3 OppPieceAttUnprotected IsMateInOne MyPieceCannotBeCaptured)))
            (And2
              (Or2
                (Smaller
                  IsMyPieceNotPinned
                  (Or3 -1000*MateInOne OppKingInCheckPieceBehind NotMyKingInCheck))
                (Smaller
                  IsDraw
                  (Or3 NotMyPieceAttUnprotected OppKingInCheckPieceBehind NotMyKingInCheck)))
              (Smaller NotMyPieceAttUnprotected NotMyKingInCheck))
            IsOppKingInCheck))
        (If3 IsMyFork OppKingDistRook NumMyPiecesNotAttacked)
        (If3 IsMateInTwo MyKingProxRook -1000*MateInOne))
      (If3
        (Or3
          (Or2
            (Smaller
              IsMyPieceNotPinned
              (Or3 NotMyPieceAttUnprotected OppKingInCheckPieceBehind NotMyKingInCheck))
            (Smaller
              IsMyPieceNotPinned
              (Or3 -1000*MateInOne OppKingInCheckPieceBehind NotMyKingInCheck)))
          (And2
            (Or2
              IsStalemate
              (Or3 NotMyPieceAttUnprotected OppKingInCheckPieceBehind NotMyKingInCheck))
            (Smaller NotMyPieceAttUnprotected NotMyKingInCheck))
          IsOppKingInCheck)
        (If3 IsMateInTwo MyKingProxRook -1000*MateInOne)
        NumMyPiecesNotAttacked)))
  (even
    (If3
      IsMate
      (If3
        MyPieceCannotBeCaptured
        (If3 IsMateInOne OppKingDistRook ValueMyPiecesAttacking)
        (If3 OppPieceCanBeCaptured NumMyPiecesNotAttacked 10*MaterialValue))
      (If3
        (And3 NotMyPieceAttUnprotected IsMyQueenNotAttacked IsOppKingStuck)
        (If3
          IsMate
          (If3
            MyPieceCannotBeCaptured
            (If3 IsOppKingStuck OppKingDistRook ValueMyPiecesAttacking)
            (If3 OppPieceCanBeCaptured NumMyPiecesNotAttacked 10*MaterialValue))
          (If3
            (And3 NotMyPieceAttUnprotected IsMyQueenNotAttacked IsOppKingStuck)
            (If3
              NotStallmateAdv
              NumMyPiecesNotAttacked
              (If3 (Not IsMateInOne) OppKingDistRook 10*MaterialValue))
            10*MaterialValue))
        10*MaterialValue)))
  (disadvantage
    (If3
      (Or2
        (And3 IsMyKingNotBehindPiece NotMyKingInCheck IsMateInOne)
        (And3
          IsOppNotFork
          (And3
            (Smaller
              (Smaller IsMyKingNotStuck IsMateInOne)
              (Smaller
                (And3 IsOppNotFork IsMyPieceNotPinned IsMyKingProtectingPiece)
                IsMyFork))
            IsMyQueenNotAttacked
            (And3 IsOppNotFork IsDraw (Smaller NotMyKingInCheck MyPieceCannotBeCaptured)))
          (Smaller
            (Smaller
              (And3 OppKingInCheckPieceBehind IsMyPieceNotPinned IsMyKingProtectingPiece)
              (Not IsOppNotFork))
            IsOppKingProtectingPiece)))
      (If3
        (And2 IsOppKingBehindPiece OppKingInCheckPieceBehind)
        (If3 IsOppKingInCheck EvaluateMaterial MyKingProxRook)
        NumNotMovesOppKing)
      (If3
        (And3 OppKingInCheckPieceBehind IsMyPieceNotPinned IsMyKingProtectingPiece)
        (If3 IsOppKingProtectingPiece ValueOppPiecesAttacking NumMovesMyKing)
        (If3 MyPiecesSameLine OppKingDistRook NumOppPiecesAttacked)))))
