; MASTER: a strategy written by hand, to be beaten. The paper's own MASTER is not printed; this one is ours.
;
; Each tree is a list of cases, the most urgent first. A constant ranks the case; where nothing is urgent the leaf
; is a number of the position. "Cannot be captured" is about exchanges that win material.
(program
  (version 1)
  (endings KRKR KRRKRR KQKQ KQRKQR)
  (provenance "MASTER: written by hand for Eyas; mate, keep the pieces, win what hangs, restrict the king")
  (advantage
    (If3 IsMate 1000/2
    ; Nothing that is won may be thrown away.
    (If3 (Or3 IsDraw IsMateInOne IsStalemate) -1000/2
    ; Of two losses of material the one that takes something first.
    (If3 (Not MyPieceCannotBeCaptured) (If3 IsMaterialIncrease -1000/4 -1000/3)
    (If3 IsMateInTwo 1000/3
    (If3 IsMaterialIncrease 1000/4
    ; He must see to his king, and then a piece falls.
    (If3 (And2 IsOppKingInCheck (Or2 OppPieceCanBeCaptured OppKingInCheckPieceBehind)) 10*MaterialValue
    ; Shut the king in, with the king beside the piece that does it; a check drives it nowhere by itself.
    (If3 (And2 IsMyKingProtectingPiece (Not IsOppKingInCheck)) NumNotMovesOppKing
      (If3 IsOppKingInCheck -4/1000 3/1000)))))))))
  (even
    (If3 IsMate 1000/2
    (If3 IsMateInOne -1000/2
    (If3 (Not MyPieceCannotBeCaptured) (If3 IsMaterialIncrease -1000/4 -1000/3)
    (If3 IsMateInTwo 1000/2
    (If3 IsMaterialIncrease 1000/3
    (If3 (And2 IsOppKingInCheck (Or2 OppPieceCanBeCaptured OppKingInCheckPieceBehind)) 1000/4
    ; A threat that he has to answer, with our pieces safe; then a king in the centre.
    (If3 (And2 OppPieceCanBeCaptured NotMyPieceAttacked) ValueMyPiecesAttacking
    (If3 IsMyKingNotStuck MyKingDistEdges -4/1000)))))))))
  (disadvantage
    (If3 IsMate 1000/2
    (If3 IsMateInOne -1000/2
    (If3 IsDraw 1000/3
    (If3 IsMaterialIncrease (If3 MyPieceCannotBeCaptured 1000/3 1000/4)
    (If3 (Not MyPieceCannotBeCaptured) -1000/3
    (If3 (And2 IsOppKingInCheck (Or2 OppPieceCanBeCaptured OppKingInCheckPieceBehind)) 1000/4
    ; Away from the edge, where mates are.
    (If3 IsMyKingNotStuck NumMovesMyKing -4/1000)))))))))
