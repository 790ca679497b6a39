; MASTER's cases with OppCannotCheckAndWin and IsPieceWonNext, the terminals that are Eyas's own: what one ply is worth
; that sees the opponent's next check (docs/results/endgame-programs.md).
(program
  (version 1)
  (endings KRKR KRRKRR KQKQ KQRKQR)
  (provenance "by hand for Eyas: MASTER's cases with the two terminals beyond the paper's")
  (advantage
    (If3 IsMate 1000/2
    (If3 (Or3 IsDraw IsMateInOne IsStalemate) -1000/2
    (If3 (Not MyPieceCannotBeCaptured) (If3 IsMaterialIncrease -1000/4 -1000/3)
    (If3 (Not OppCannotCheckAndWin) -1000/4
    (If3 IsMateInTwo 1000/3
    (If3 IsMaterialIncrease 1000/4
    (If3 IsPieceWonNext 1000/4
    (If3 (And2 IsMyKingProtectingPiece (Not IsOppKingInCheck)) NumNotMovesOppKing
      (If3 IsOppKingInCheck -4/1000 3/1000))))))))))
  (even
    (If3 IsMate 1000/2
    (If3 IsMateInOne -1000/2
    (If3 (Not MyPieceCannotBeCaptured) (If3 IsMaterialIncrease -1000/4 -1000/3)
    (If3 IsMateInTwo 1000/2
    (If3 IsMaterialIncrease 1000/3
    (If3 IsPieceWonNext 1000/4
    (If3 (Not OppCannotCheckAndWin) -1000/4
    (If3 IsMyKingProtectingPiece (If3 NotMyPieceAttacked 3/1000 2/1000) -2/1000)))))))))
  (disadvantage
    (If3 IsMate 1000/2
    (If3 IsMateInOne -1000/2
    (If3 IsDraw 1000/3
    (If3 IsMaterialIncrease (If3 MyPieceCannotBeCaptured 1000/3 1000/4)
    (If3 (Not MyPieceCannotBeCaptured) -1000/3
    (If3 IsPieceWonNext 1000/4
    (If3 IsMyKingNotStuck NumMovesMyKing -4/1000)))))))))
