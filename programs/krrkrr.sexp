(program
  (version 1)
  (functions bd5a8a307630954d)
  (endings KRRKRR)
  (provenance "tuner 0.2.0; profile krrkrr, SHA-256 a5d5d7009be888caf68626770dfe551ca81fb41eec96c72fd305eb0f341066a2; run 1, seed 5659555833751644, generation 30; score 0.988 in 500 games against random moves, score 0.254 in 500 games against master.sexp")
  (advantage
    (If3
      (And3
        (Smaller IsMyKingNotStuck IsMaterialIncrease)
        (And2 OppKingInCheckPieceBehind (And2 OppPiecesNotSameLine IsOppNotFork))
        (And3 OppPieceAttUnprotected IsMateInOne MyPieceCannotBeCaptured))
      (If3
        (And3
          (Smaller IsMyKingNotStuck IsMaterialIncrease)
          (And2 OppKingInCheckPieceBehind IsMate)
          (And2 OppKingInCheckPieceBehind IsMate))
        ValueOppPiecesAttacking
        (If3
          (Smaller IsMateInOne IsMyKingNotStuck)
          (If3 IsMateInTwo MyKingProxRook -1000*MateInOne)
          (If3 IsStalemate MyKingDistEdges -2/1000)))
      (If3
        (Not IsMate)
        NumMyPiecesNotAttacked
        (If3 OppPiecesNotSameLine NumMovesMyKing 1000/4))))
  (even
    (If3
      (Smaller
        (Smaller OppKingInCheckPieceBehind -1000*MateInOne)
        (And3 IsMateInTwo NotMyKingInCheck IsMate))
      (If3
        (And3 NotMyPieceAttacked NotMyKingInCheck IsMyPieceNotPinned)
        (If3 IsOppKingStuck OppKingDistRook ValueMyPiecesAttacking)
        (If3 IsOppKingStuck OppKingDistRook ValueMyPiecesAttacking))
      (If3
        (And3 NotMyPieceAttUnprotected IsMyQueenNotAttacked IsOppKingStuck)
        (If3
          NotStallmateAdv
          (If3 MyPieceCannotBeCaptured NumMyPiecesNotAttacked 10*MaterialValue)
          MyKingDistEdges)
        (If3 MyPieceCannotBeCaptured EvaluateMaterial 10*MaterialValue))))
  (disadvantage
    (If3
      IsOppKingInCheck
      (If3
        (Or2 -1000*MateInOne IsMyKingProtectingPiece)
        (If3 MyPieceCannotBeCaptured NumOppPiecesAttacked NumNotMovesOppKing)
        3/1000)
      (If3
        IsMyKingProtectingPiece
        OppKingDistRook
        (If3
          IsOppNotFork
          (If3 IsMyKingProtectingPiece OppKingDistRook NumNotMovesOppKing)
          10*MaterialValue)))))
