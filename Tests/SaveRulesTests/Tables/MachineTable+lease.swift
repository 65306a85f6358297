import SaveRules
import Workbench

extension MachineTable where Machine == PlayLease {
    static func lease() -> Self {
        func after(_ events: (inout PlayLease) -> Void = { _ in }) -> PlayLease {
            var lease = PlayLease(Sample.peer(5))
            events(&lease)
            return lease
        }
        func hold(_ lease: inout PlayLease) {
            _ = lease.take(at: .at(0))
            _ = lease.deadlinePassed(at: .at(1))
        }
        func theirs(_ lease: inout PlayLease) {
            _ = lease.heard(LeaseClaim(Sample.peer(4), term: 0, isHeld: true), at: .at(0))
        }
        var table = Self("lease") { $0.state.rawValue }
        table.row("free") { after() }
        table.row("claiming") { after { _ = $0.take(at: .at(0)) } }
        table.row("held") { after(hold) }
        table.row("held, woken late") {
            after {
                hold(&$0)
                _ = $0.deadlinePassed(at: .at(100))
            }
        }
        table.row("theirs") { after(theirs) }
        table.row("asking") {
            after {
                theirs(&$0)
                _ = $0.request(at: .at(1))
            }
        }
        let smaller = Sample.peer(3)
        let larger = Sample.peer(7)
        table.column("take") { $0.take(at: .at(101)) }
        table.column("force") { $0.force(at: .at(101)) }
        table.column("a game goes on") { $0.goOn(at: .at(101), since: .at(90)) }
        table.column("request") { $0.request(at: .at(101)) }
        table.column("release") { $0.release() }
        table.column("a smaller id asks") { $0.heard(LeaseClaim(smaller, term: 0, isHeld: false), at: .at(101)) }
        table.column("a larger id asks") { $0.heard(LeaseClaim(larger, term: 0, isHeld: false), at: .at(101)) }
        table.column("a smaller id plays") { $0.heard(LeaseClaim(smaller, term: 0, isHeld: true), at: .at(101)) }
        table.column("a larger id plays") { $0.heard(LeaseClaim(larger, term: 0, isHeld: true), at: .at(101)) }
        table.column("it plays by force") { $0.heard(LeaseClaim(larger, term: 1, isHeld: true), at: .at(101)) }
        table.column("the holder stops") { $0.heardRelease(Sample.peer(4), at: .at(101)) }
        table.column("a peer asks us to stop") { $0.heardRequest(larger) }
        table.column("a peer connects") { $0.met(at: .at(101)) }
        table.column("15 s later") { $0.deadlinePassed(at: .at(16)) }
        table.column("a long time later") { $0.deadlinePassed(at: .at(500)) }
        return table
    }
}
