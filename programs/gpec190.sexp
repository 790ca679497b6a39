; GPEC190, a player that evolved in the paper of 2005 (Hauptman and Sipper), as its section 4 prints it.
;
; The paper prints the advantage tree alone: 159 nodes, 16 levels. The printed text has one ")" too many, just
; before the first NotMyKingInCheck, where an Or3 would get four arguments; here it is removed, and nothing else
; is changed. What the other two trees were is not known, so the same tree stands in their places.
;
; -1000*MateInOne, 10*MaterialValue and #NotMovesOppKing are names of terminals, not products. The names are the
; printed ones; some are short for those of the paper's tables (MyFork for IsMyFork).
(program
  (version 1)
  (endings KRKR KRRKRR KQKQ KQRKQR)
  (provenance "GPEC190 of Hauptman and Sipper 2005, section 4; even and disadvantage: the advantage tree again")
  (advantage
    (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
    (And3 MyFork NotMyPieceAttUnprotected (And3
    MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
    (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
    (And3 MyFork NotMyPieceAttUnprotected (And3
    MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
    (If3 (And3 MyFork NotMyPieceAttUnprotected
    (And3 MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind))
    (If3 OppKingStuck MyKingDistEdges MyKingDistEdges)
    (If3 OppKingStuck OppKingProxEdges OppKingInCheckPieceBehind))
    (If3 (Not (Or3 OppKingInCheckPieceBehind
      (And3 -1000*MateInOne (Or2 (And2 OppKingStuck
        OppKingInCheck) (And3 MyFork NotMyPieceAttUnprotected
          (Or2 (And2 OppKingStuck OppKingInCheck) (And3
            MyFork NotMyPieceAttUnprotected (Or2 (And2
              OppKingStuck OppKingInCheck) (And3 MyFork
                NotMyPieceAttUnprotected (Or2 (And2 OppKingStuck
                  OppKingInCheck) (And3 MyFork NotMyPieceAttUnprotected
                    (And3 MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))))))))
      NotMyKingInCheck) (And2 MyFork OppPieceAttUnprotected)))
    (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)
    (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
      (And3 MyFork NotMyPieceAttUnprotected (And3
        MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
      (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
        (And3 MyFork NotMyPieceAttUnprotected (And3
          MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
        MyKingDistEdges (If3 (Not (Or3 OppKingInCheckPieceBehind
          (And3 -1000*MateInOne (Or2 (And2 OppKingStuck
            OppKingInCheck) (And3 MyFork NotMyPieceAttUnprotected
              (And3 MyFork NotMyPieceAttUnprotected (And3
                MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind))))
            NotMyKingInCheck) (And2 OppKingInCheck OppKingInCheckPieceBehind)))
          (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)
          (If3 (And2 MyFork OppPieceAttUnprotected)
            (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)
            (If3 NotStallmateAdv 10*MaterialValue #NotMovesOppKing))))
          (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT))))
    (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)))
  (even
    (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
    (And3 MyFork NotMyPieceAttUnprotected (And3
    MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
    (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
    (And3 MyFork NotMyPieceAttUnprotected (And3
    MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
    (If3 (And3 MyFork NotMyPieceAttUnprotected
    (And3 MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind))
    (If3 OppKingStuck MyKingDistEdges MyKingDistEdges)
    (If3 OppKingStuck OppKingProxEdges OppKingInCheckPieceBehind))
    (If3 (Not (Or3 OppKingInCheckPieceBehind
      (And3 -1000*MateInOne (Or2 (And2 OppKingStuck
        OppKingInCheck) (And3 MyFork NotMyPieceAttUnprotected
          (Or2 (And2 OppKingStuck OppKingInCheck) (And3
            MyFork NotMyPieceAttUnprotected (Or2 (And2
              OppKingStuck OppKingInCheck) (And3 MyFork
                NotMyPieceAttUnprotected (Or2 (And2 OppKingStuck
                  OppKingInCheck) (And3 MyFork NotMyPieceAttUnprotected
                    (And3 MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))))))))
      NotMyKingInCheck) (And2 MyFork OppPieceAttUnprotected)))
    (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)
    (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
      (And3 MyFork NotMyPieceAttUnprotected (And3
        MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
      (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
        (And3 MyFork NotMyPieceAttUnprotected (And3
          MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
        MyKingDistEdges (If3 (Not (Or3 OppKingInCheckPieceBehind
          (And3 -1000*MateInOne (Or2 (And2 OppKingStuck
            OppKingInCheck) (And3 MyFork NotMyPieceAttUnprotected
              (And3 MyFork NotMyPieceAttUnprotected (And3
                MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind))))
            NotMyKingInCheck) (And2 OppKingInCheck OppKingInCheckPieceBehind)))
          (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)
          (If3 (And2 MyFork OppPieceAttUnprotected)
            (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)
            (If3 NotStallmateAdv 10*MaterialValue #NotMovesOppKing))))
          (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT))))
    (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)))
  (disadvantage
    (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
    (And3 MyFork NotMyPieceAttUnprotected (And3
    MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
    (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
    (And3 MyFork NotMyPieceAttUnprotected (And3
    MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
    (If3 (And3 MyFork NotMyPieceAttUnprotected
    (And3 MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind))
    (If3 OppKingStuck MyKingDistEdges MyKingDistEdges)
    (If3 OppKingStuck OppKingProxEdges OppKingInCheckPieceBehind))
    (If3 (Not (Or3 OppKingInCheckPieceBehind
      (And3 -1000*MateInOne (Or2 (And2 OppKingStuck
        OppKingInCheck) (And3 MyFork NotMyPieceAttUnprotected
          (Or2 (And2 OppKingStuck OppKingInCheck) (And3
            MyFork NotMyPieceAttUnprotected (Or2 (And2
              OppKingStuck OppKingInCheck) (And3 MyFork
                NotMyPieceAttUnprotected (Or2 (And2 OppKingStuck
                  OppKingInCheck) (And3 MyFork NotMyPieceAttUnprotected
                    (And3 MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))))))))
      NotMyKingInCheck) (And2 MyFork OppPieceAttUnprotected)))
    (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)
    (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
      (And3 MyFork NotMyPieceAttUnprotected (And3
        MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
      (If3 (Or2 (And2 OppKingStuck OppKingInCheck)
        (And3 MyFork NotMyPieceAttUnprotected (And3
          MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind)))
        MyKingDistEdges (If3 (Not (Or3 OppKingInCheckPieceBehind
          (And3 -1000*MateInOne (Or2 (And2 OppKingStuck
            OppKingInCheck) (And3 MyFork NotMyPieceAttUnprotected
              (And3 MyFork NotMyPieceAttUnprotected (And3
                MyFork NotMyPieceAttUnprotected OppKingInCheckPieceBehind))))
            NotMyKingInCheck) (And2 OppKingInCheck OppKingInCheckPieceBehind)))
          (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)
          (If3 (And2 MyFork OppPieceAttUnprotected)
            (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT)
            (If3 NotStallmateAdv 10*MaterialValue #NotMovesOppKing))))
          (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT))))
    (If3 OppKingStuck NumMyPiecesUNATT NumMyPiecesUNATT))))
