(program
  (version 1)
  (functions bd5a8a307630954d)
  (endings KQKQ)
  (provenance "tuner 0.2.0; profile kqkq, SHA-256 6eeed8f0dcf7cba02fe3471767d4fe74df1a8b07f6cb8172ac1c7670e58ca7e5; run 1, seed 5659555833751644, generation 59; score 0.914 in 500 games against random moves, score 0.453 in 500 games against master.sexp")
  (advantage
    (If3
      (And3
        (And2
          NotStallmateAdv
          (And3
            (Not
              (Not
                (Or3
                  (Or3 IsOppKingProtectingPiece IsStalemate IsMate)
                  (Or2 MyPiecesSameLine MyPieceCannotBeCaptured)
                  (Not IsMyKingProtectingPiece))))
            IsOppQueenAttacked
            NotMyKingInCheck))
        IsOppQueenAttacked
        IsMyKingProtectingPiece)
      (If3 IsMateInOne EvaluateMaterial OppKingDistRook)
      (If3
        IsMyQueenNotAttacked
        (If3
          (Or3 IsOppKingProtectingPiece IsStalemate IsMate)
          NumMyPiecesNotAttacked
          (If3
            (Or3
              IsOppKingProtectingPiece
              IsStalemate
              (And3
                (And2
                  (Or3 IsOppKingProtectingPiece IsStalemate IsMate)
                  (Or2 MyPiecesSameLine MyPieceCannotBeCaptured))
                IsMateInTwo
                NotMyKingInCheck))
            NumMyPiecesNotAttacked
            (If3 IsMateInOne EvaluateMaterial OppKingDistRook)))
        (If3
          IsOppKingBehindPiece
          NumMovesMyKing
          (If3 IsMyKingNotStuck OppKingProximityToEdges NumMyPiecesNotAttacked)))))
  (even
    (If3
      (Not MyPieceCannotBeCaptured)
      (If3
        -1000*MateInOne
        (If3
          IsMaterialIncrease
          (If3
            IsDraw
            (If3
              (Or3
                (Not MyPieceCannotBeCaptured)
                (Or2
                  (And2
                    (Not (And3 IsOppQueenAttacked OppPieceCanBeCaptured IsOppNotFork))
                    IsOppKingProtectingPiece)
                  IsOppKingBehindPiece)
                -1000*MateInOne)
              (If3
                -1000*MateInOne
                MyKingProxRook
                (If3 IsMyPieceNotPinned 10*MaterialValue -1000*MateInOne))
              (If3 IsMyPieceNotPinned 10*MaterialValue -1000*MateInOne))
            (If3
              (Not MyPieceCannotBeCaptured)
              (If3
                IsDraw
                (If3
                  -1000*MateInOne
                  MyKingProxRook
                  (If3
                    IsDraw
                    (If3
                      -1000*MateInOne
                      MyKingProxRook
                      (If3 IsMyPieceNotPinned 10*MaterialValue NumMyPiecesNotAttacked))
                    (If3 IsMyPieceNotPinned 10*MaterialValue -1000*MateInOne)))
                (If3 IsMyPieceNotPinned NumMyPiecesNotAttacked -1000*MateInOne))
              4/1000))
          (If3 IsMyPieceNotPinned 10*MaterialValue -1000*MateInOne))
        (If3
          (Not MyPieceCannotBeCaptured)
          (If3
            -1000*MateInOne
            MyKingProxRook
            (If3 IsMyPieceNotPinned 10*MaterialValue -1000*MateInOne))
          4/1000))
      4/1000))
  (disadvantage
    (If3
      (Or2
        (And2
          NotStallmateAdv
          (Or3
            IsMaterialIncrease
            IsOppNotFork
            (Or3 IsDraw IsOppKingBehindPiece IsMaterialIncrease)))
        (Not (Or2 (Not IsOppKingProtectingPiece) (Not IsOppPiecePinned))))
      10*MaterialValue
      (If3
        NotMyPieceAttacked
        (If3
          (Smaller
            (Smaller
              IsOppNotFork
              (Or3
                (And2 IsMyKingNotBehindPiece IsMateInOne)
                OppKingInCheckPieceBehind
                IsMate))
            IsOppKingProtectingPiece)
          (If3 IsMateInTwo NumNotMovesOppKing OppKingProximityToEdges)
          (If3 IsOppKingInCheck -1000*MateInOne ValueOppPiecesAttacking))
        2/1000))))
