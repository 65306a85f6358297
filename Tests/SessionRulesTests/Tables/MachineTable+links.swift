import SessionRules
import TestSupport
import Vocabulary
import Workbench

extension MachineTable where Machine == LinkHandshake {
    static func linkHandshake() -> Self {
        var table = Self("link-handshake") { $0.state.rawValue }
        table.row("connecting") { LinkHandshake.sample() }
        table.row("securing") { LinkHandshake.sample(through: 1) }
        table.row("greeting") { LinkHandshake.sample(through: 2) }
        table.row("established") {
            var machine = LinkHandshake.sample(through: 2)
            _ = try machine.receivedHello()
            return machine
        }
        table.row("failed") {
            var machine = LinkHandshake.sample()
            _ = machine.failed(.connection)
            return machine
        }
        table.column("connected", traps: ["securing", "greeting", "established"]) { $0.connected(at: .at(1)) }
        let secured: Set = ["connecting", "greeting", "established"]
        table.column("secured", traps: secured) { $0.secured(by: Sample.large, at: .at(2)) }
        table.column("secured by another", traps: secured) { $0.secured(by: Sample.peer(3), at: .at(2)) }
        table.column("secured by oneself", traps: secured) { $0.secured(by: Sample.small, at: .at(2)) }
        table.column("Hello", traps: ["connecting", "securing"]) { try $0.receivedHello() }
        table.column("other frame", traps: ["connecting", "securing"]) { try $0.receivedOther() }
        table.column("connection broke") { $0.failed(.connection) }
        table.column("no common version") { $0.failed(.noCommonVersion) }
        table.column("unreadable") { $0.failed(.unreadable) }
        table.column("closed") { $0.failed(.closed(nil)) }
        table.column("Bye") { $0.failed(.closed(.shuttingDown)) }
        table.column("replaced") { $0.failed(.replaced) }
        table.column("abandoned") { $0.failed(.abandoned(.withdrawn)) }
        table.column("deadline") { $0.deadlinePassed(at: .at(3600)) }
        return table
    }
}

extension LinkHandshake {
    static func sample(through step: Int = 0) -> LinkHandshake {
        var machine = LinkHandshake(.dialler(expecting: Sample.large), own: Sample.small, at: .at(0))
        if step > 0 { _ = machine.connected(at: .at(1)) }
        if step > 1 { _ = machine.secured(by: Sample.large, at: .at(2)) }
        return machine
    }
}

extension MachineTable where Machine == Liveness {
    static func liveness() -> Self {
        func silent(for seconds: Double) -> Liveness {
            var machine = Liveness(at: .at(0))
            _ = machine.check(at: .at(seconds))
            return machine
        }
        var table = Self("liveness") { $0.state.rawValue }
        table.row("alive") { silent(for: 0) }
        table.row("asked") { silent(for: 3) }
        table.row("suspect") { silent(for: 5) }
        table.row("lost") { silent(for: 10) }
        table.column("heard") { $0.heard(at: .at(11)) }
        table.column("check after 2.9 s") { $0.check(at: .at(2.9)) }
        table.column("after 3 s") { $0.check(at: .at(3)) }
        table.column("after 5 s") { $0.check(at: .at(5)) }
        table.column("after 10 s") { $0.check(at: .at(10)) }
        table.column("after an hour asleep") { $0.check(at: .at(3600)) }
        return table
    }
}

extension MachineTable where Machine == Reconnection {
    static func reconnection() -> Self {
        var table = Self("reconnection") { $0.state.rawValue }
        table.row("waiting") { Reconnection.sample() }
        table.row("dialling") { Reconnection.sample { _ = $0.deadlinePassed(at: .at(1)) } }
        table.row("listening") { Reconnection.sample(dials: false) }
        table.row("connected") { Reconnection.sample { _ = $0.linkCameUp() } }
        table.row("givenUp") { Reconnection.sample { _ = $0.deadlinePassed(at: .at(3600)) } }
        table.column("too early") { $0.deadlinePassed(at: .at(0.01)) }
        table.column("time to dial") { $0.deadlinePassed(at: .at(2)) }
        table.column("time to give up") { $0.deadlinePassed(at: .at(600)) }
        table.column("attempt failed", traps: ["waiting", "listening"]) { machine in
            var generator = SeededGenerator(seed: 1)
            return machine.attemptFailed(at: .at(2), using: &generator)
        }
        table.column("hint") { $0.hinted(at: .at(2)) }
        table.column("link up") { $0.linkCameUp() }
        return table
    }
}

extension Reconnection {
    static func sample(dials: Bool = true, _ next: (inout Reconnection) -> Void = { _ in }) -> Reconnection {
        var generator = SeededGenerator(seed: 1)
        var machine = Reconnection(dials: dials, at: .at(0), using: &generator)
        next(&machine)
        return machine
    }
}

extension MachineTable where Machine == Shutdown {
    static func shutdown() -> Self {
        func begun(_ next: (inout Shutdown) -> Void = { _ in }) -> Shutdown {
            var machine = Shutdown()
            _ = machine.begin(isIdle: false, at: .at(0))
            next(&machine)
            return machine
        }
        var table = Self("shutdown") { $0.state.rawValue }
        table.row("running") { Shutdown() }
        table.row("draining") { begun() }
        table.row("parting") { begun { _ = $0.drained(at: .at(1)) } }
        table.row("closed") {
            begun {
                _ = $0.drained(at: .at(1))
                _ = $0.byesSent()
            }
        }
        table.column("begin, busy") { $0.begin(isIdle: false, at: .at(1)) }
        table.column("begin, idle") { $0.begin(isIdle: true, at: .at(1)) }
        table.column("drained") { $0.drained(at: .at(1)) }
        table.column("byes sent", traps: ["running", "draining"]) { $0.byesSent() }
        table.column("deadline") { $0.deadlinePassed(at: .at(3600)) }
        return table
    }
}
