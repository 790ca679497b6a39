; Queen against queen: evolved from lessons of perfect play by tuner/profiles/endgames-perfect.toml with endings = ["KQKQ"]
; and the lessons of KQKQ in place of those of KRKR.
; By exact tables it keeps the value with 99.21 % of its moves, wins 99 % of won positions and holds 97 % of drawn starts
; (docs/results/endgame-programs.md).
(program
  (version 1)
  (functions 34912868024a237e)
  (endings KQKQ)
  (provenance "tuner 0.2.0; profile endgames-perfect-kqkq, SHA-256 fca2de3de12311a99e0356a7742928393f7b40593fe7445e63109b2ecaf65738; run 1, seed 5103132997656651, generation 35; 99.12 % of held-out lessons known, score 0.917 in 500 games against random moves, score 0.503 in 500 games against master.sexp")
  (advantage
    (If3 IsOppKingStuck OppKingInCheckPieceBehind NumMyPiecesNotAttacked))
  (even
    (If3
      IsOppKingInCheck
      (If3
        MyPieceCannotBeCaptured
        (If3
          (Or3
            -1000*MateInOne
            IsPieceWonNext
            (Or3
              (And2
                (And3 OppCannotCheckAndWin IsPieceWonNext NotMyPieceAttUnprotected)
                IsMyKingNotStuck)
              -1000*MateInOne
              IsMaterialIncrease))
          1000/4
          (If3 OppPiecesNotSameLine NumNotMovesOppKing EvaluateMaterial))
        EvaluateMaterial)
      (If3
        IsMyKingProtectingPiece
        (If3
          OppPieceCanBeCaptured
          NumOppPiecesAttacked
          (If3
            OppCannotCheckAndWin
            (If3 IsMyKingNotBehindPiece NumMovesMyKing NumNotMovesOppKing)
            10*MaterialValue))
        EvaluateMaterial)))
  (disadvantage
    10*MaterialValue))
