; Rook against rook and queen against queen: evolved from lessons of perfect play by
; tuner/profiles/endgames-perfect.toml with endings = ["KRKR", "KQKQ"] and the lessons of both.
; By exact tables it keeps the value with 99.67 % (rooks) and 99.68 % (queens) of its moves, wins 98 % of won positions
; and holds 97 and 99 % of drawn starts (docs/results/endgame-programs.md).
(program
  (version 1)
  (functions 34912868024a237e)
  (endings KRKR KQKQ)
  (provenance "tuner 0.2.0; profile endgames-perfect-mixed, SHA-256 a5a392de0d0c820f213731b31a45f0c48042566faa245e851c2630eb8ebfd5dd; run 1, seed 5103132997656651, generation 175; 99.31 % of held-out lessons known, score 0.897 in 500 games against random moves, score 0.511 in 500 games against master.sexp")
  (advantage
    (If3 IsDraw 4/1000 NumMyPiecesNotAttacked))
  (even
    (If3
      IsPieceWonNext
      ValueMyPiecesAttacking
      (If3
        OppCannotCheckAndWin
        (If3
          IsMaterialIncrease
          OppKingDistRook
          (If3
            IsMate
            ValueMyPiecesAttacking
            (If3
              MyPieceCannotBeCaptured
              (If3
                (Or2
                  IsOppKingInCheck
                  (And2
                    (Smaller NotMyPieceAttUnprotected OppCannotCheckAndWin)
                    OppCannotCheckAndWin))
                OppKingProximityToEdges
                (If3
                  IsOppNotFork
                  (If3
                    IsMyPieceNotPinned
                    NumOppPiecesAttacked
                    (If3 OppPieceAttUnprotected NumMovesMyKing MyKingProxRook))
                  (If3 MyPieceCannotBeCaptured OppKingInCheckPieceBehind 10*MaterialValue)))
              -1000/4)))
        -2/1000)))
  (disadvantage
    EvaluateMaterial))
