; Rook against rook: a champion that evolved by tuner/profiles/endgames-2005.toml from random trees.
; Score (1 for a mate or more material after 50 moves, 1/2 for a draw) in 2,000 games from unseen starts:
; 0.566 +- 0.012 against programs/master.sexp, 0.965 +- 0.006 against random moves (docs/results/endgames-2005.md).
(program
  (version 1)
  (functions bd5a8a307630954d)
  (endings KRKR)
  (provenance "tuner 0.2.0; profile endgames-2005, SHA-256 e421664f09f778a07089561ed8208d628ace07743bd94ad11424861809f0a870; run 1, seed 5659555833751644, generation 100; score 0.960 in 500 games against random moves, score 0.553 in 500 games against master.sexp")
  (advantage
    (If3
      NotStallmateAdv
      (If3
        (And3 IsOppPiecePinned IsOppKingInCheck IsMyQueenNotAttacked)
        (If3 IsMyFork OppKingDistRook NumMyPiecesNotAttacked)
        (If3
          NotMyPieceAttUnprotected
          (If3
            (And3
              (And2
                IsOppKingInCheck
                (And3
                  (And3 IsOppPiecePinned IsOppKingInCheck IsMyQueenNotAttacked)
                  (And2 OppKingInCheckPieceBehind IsMate)
                  (And2 IsOppKingStuck IsMaterialIncrease)))
              (And2 OppKingInCheckPieceBehind IsMate)
              (And2 IsOppKingStuck IsMaterialIncrease))
            (If3 OppKingInCheckPieceBehind EvaluateMaterial OppKingProximityToEdges)
            (If3
              NotMyPieceAttUnprotected
              (If3 IsMateInTwo MyKingProxRook -1000*MateInOne)
              (If3 IsStalemate MyKingDistEdges -3/1000)))
          (If3 IsStalemate MyKingDistEdges -3/1000)))
      (If3
        NotStallmateAdv
        (If3
          (Smaller IsDraw (Or3 IsMyFork IsMyKingProtectingPiece IsMateInTwo))
          (If3
            (And3 IsOppPiecePinned IsOppKingInCheck IsMyQueenNotAttacked)
            OppKingProximityToEdges
            (If3
              NotMyPieceAttUnprotected
              (If3 IsMateInTwo MyKingProxRook -1000*MateInOne)
              (If3 IsStalemate MyKingDistEdges -3/1000)))
          (If3
            NotMyPieceAttUnprotected
            (If3 IsMateInTwo MyKingProxRook -1000*MateInOne)
            (If3 IsStalemate MyKingDistEdges -3/1000)))
        (If3 IsStalemate MyKingDistEdges -3/1000))))
  (even
    (If3
      (Smaller IsMate OppKingInCheckPieceBehind)
      (If3
        (And3 NotMyPieceAttacked (Or2 NotStallmateAdv MyPiecesSameLine) IsMyPieceNotPinned)
        (If3 IsOppKingStuck OppKingDistRook ValueMyPiecesAttacking)
        (If3
          (Smaller IsMate OppKingInCheckPieceBehind)
          (If3
            (Not
              (And3
                (And3
                  (Smaller
                    (Not IsMaterialIncrease)
                    (Or2 (Smaller IsMate OppKingInCheckPieceBehind) IsOppQueenAttacked))
                  (Or2 NotStallmateAdv (Not (Not IsMyQueenNotAttacked)))
                  IsMyPieceNotPinned)
                IsMyQueenNotAttacked
                IsOppKingStuck))
            (If3 (Not IsMyQueenNotAttacked) ValueMyPiecesAttacking 10*MaterialValue)
            (If3 IsOppQueenAttacked OppKingDistRook ValueOppPiecesAttacking))
          (If3
            (And3 NotMyPieceAttUnprotected IsMyQueenNotAttacked IsOppKingStuck)
            (If3
              (Not IsMaterialIncrease)
              (If3 (Not IsMyQueenNotAttacked) ValueMyPiecesAttacking 10*MaterialValue)
              (If3 IsOppQueenAttacked OppKingDistRook ValueOppPiecesAttacking))
            (If3
              MyPieceCannotBeCaptured
              (If3
                OppPieceCanBeCaptured
                OppKingInCheckPieceBehind
                (If3
                  (Not
                    (And3
                      (Smaller IsMate OppKingInCheckPieceBehind)
                      IsMyQueenNotAttacked
                      IsOppKingStuck))
                  ValueMyPiecesAttacking
                  10*MaterialValue))
              10*MaterialValue))))
      (If3
        (And3 NotMyPieceAttUnprotected IsMyQueenNotAttacked IsOppKingStuck)
        (If3 IsOppKingStuck OppKingDistRook ValueMyPiecesAttacking)
        (If3 MyPieceCannotBeCaptured OppKingDistRook 10*MaterialValue))))
  (disadvantage
    (If3
      (Or2
        (Or2
          (And3 IsMyKingNotBehindPiece NotMyKingInCheck IsMateInOne)
          (And3 IsMyKingNotStuck IsMyKingNotStuck IsStalemate))
        (And3 IsMyKingNotStuck IsMyKingNotStuck IsStalemate))
      (If3
        (And2 IsOppKingBehindPiece OppKingInCheckPieceBehind)
        (If3
          (And3
            (Or2
              (And2
                IsMyKingProtectingPiece
                (And2
                  (Smaller IsMyKingNotStuck MyPieceCannotBeCaptured)
                  (Not IsOppPiecePinned)))
              (Not (And2 IsOppKingBehindPiece OppKingInCheckPieceBehind)))
            NotMyKingInCheck
            (And2 IsMaterialIncrease NotMyPieceAttacked))
          EvaluateMaterial
          MyKingProxRook)
        (If3 IsOppKingInCheck EvaluateMaterial MyKingProxRook))
      (If3
        IsOppKingProtectingPiece
        (If3
          IsMyKingProtectingPiece
          ValueOppPiecesAttacking
          (If3 MyPieceCannotBeCaptured OppKingInCheckPieceBehind OppKingProximityToEdges))
        (If3
          (And2
            IsMyKingProtectingPiece
            (Or2 (Not IsMaterialIncrease) (Or2 (Not IsMaterialIncrease) NotMyKingInCheck)))
          10*MaterialValue
          10*MaterialValue)))))
