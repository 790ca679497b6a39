; Rook against rook: evolved from lessons of perfect play by tuner/profiles/endgames-perfect.toml.
;   tuner run tuner/profiles/endgames-perfect.toml
; By exact tables it keeps the value with 99.68 % of its moves, wins 98 % of won positions and holds 90 % of drawn starts
; (docs/results/endgame-programs.md).
(program
  (version 1)
  (functions 34912868024a237e)
  (endings KRKR)
  (provenance "tuner 0.2.0; profile endgames-perfect, SHA-256 997200405ceceb3ada9268612997074a5e053c5b935633fed14c5d193fb9e5ce; run 1, seed 5103132997656651, generation 195; 99.02 % of held-out lessons known, score 0.984 in 500 games against random moves, score 0.513 in 500 games against master.sexp")
  (advantage
    (If3
      (And3
        IsMyPieceNotPinned
        IsStalemate
        (Not (And3 IsMateInOne IsMaterialIncrease NotMyPieceAttacked)))
      NumOppPiecesAttacked
      (If3
        (And3
          OppPieceAttUnprotected
          (Or2 IsOppKingBehindPiece IsOppQueenAttacked)
          NotStallmateAdv)
        NumMyPiecesNotAttacked
        NumMyPiecesNotAttacked)))
  (even
    (If3
      (Smaller
        (And3 IsMyKingNotStuck IsOppKingStuck IsMyKingProtectingPiece)
        (And2 OppCannotCheckAndWin MyPieceCannotBeCaptured))
      (If3
        IsMaterialIncrease
        10*MaterialValue
        (If3
          (Not
            (Smaller
              (And2 (Or2 IsMyKingNotBehindPiece IsOppKingBehindPiece) IsPieceWonNext)
              (Or2 OppPieceAttUnprotected (Not IsOppKingStuck))))
          ValueMyPiecesAttacking
          OppKingInCheckPieceBehind))
      (If3 IsMaterialIncrease NumOppPiecesAttacked -1000/4)))
  (disadvantage
    10*MaterialValue))
