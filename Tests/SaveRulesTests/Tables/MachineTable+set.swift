import SaveRules
import Vocabulary
import Workbench

extension MachineTable where Machine == SaveSetMachine {
    /// One game, which another machine shares. Its parts have tables of their own: this table has the events that
    /// concern several parts.
    static func saveSet() -> Self {
        let play = SetPlay()
        var table = Self("save-set") { machine in
            if !machine.isAlive { return "left" }
            if machine.peers.online.isEmpty { return "alone" }
            return machine.waitsForGame ? "waiting for the game" : machine.heads.pending == nil ? "in sync" : "to apply"
        }
        table.row("alone") { play.after() }
        table.row("in sync") { play.after(play.connect) }
        table.row("in sync, a game runs") { play.after(play.connect, play.begin) }
        table.row("to apply") { play.after(play.receive) }
        table.row("waiting for the game") { play.after(play.begin, play.tryInVain) }
        table.row("left") { play.after { _ = $0.handle(.life(.left), at: .at(0)) } }
        func event(_ name: String, _ event: SaveSetEvent, at second: Double = 12) {
            table.column(name) { machine in
                defer { while machine.beginSearch() {} }
                return machine.handle(event, at: .at(second))
            }
        }
        let newer = play.elsewhere.heads
        event("the other machine connects", .peer(play.desk, .connected(firstEpoch: 7, isNew: true)))
        event("it names a newer version", .peer(play.desk, .named(newer.announcement, room: 1 << 20)))
        event("it goes offline", .peer(play.desk, .disconnected))
        event("the folder settles", .watch(.settled))
        event("the program ends", .play(.programEnded))
        event("the versions change", .versions(.stored(newer, [.announce(newer.heads)])))
        event("this machine stops sharing", .life(.left))
        return table
    }
}

/// One game on this machine, and a newer version of it on another.
private struct SetPlay {
    let desk = Sample.peer(4)
    let own: HeadsPlay
    let elsewhere: HeadsPlay
    let newer: Snapshot

    init() {
        var own = HeadsPlay(5)
        let first = own.captures("chapter 1")
        own.applies(first)
        var elsewhere = own
        newer = elsewhere.captures("chapter 2")
        (self.own, self.elsewhere) = (own, elsewhere)
    }

    func after(_ events: (inout SaveSetMachine) -> Void...) -> SaveSetMachine {
        let known = SaveSetRecord(own.heads, peers: SharePeers(allowed: [desk]))
        var machine = SaveSetMachine(Sample.celeste, known, play: PlayTracker(Sample.peer(5), after: 0))
        for event in events { event(&machine) }
        return machine
    }

    func connect(_ machine: inout SaveSetMachine) {
        _ = machine.handle(.peer(desk, .connected(firstEpoch: 7, isNew: true)), at: .at(0))
        _ = machine.handle(.peer(desk, .named(own.heads.announcement, room: 1 << 20)), at: .at(0))
        // The loop of searches runs and ends.
        while machine.beginSearch() {}
    }

    func receive(_ machine: inout SaveSetMachine) {
        connect(&machine)
        var next = own
        try? next.receives(newer, from: elsewhere)
        _ = machine.handle(.versions(.stored(next.heads, next.actions)), at: .at(0))
        while machine.beginSearch() {}
    }

    func tryInVain(_ machine: inout SaveSetMachine) {
        receive(&machine)
        _ = machine.handle(.folder(.wakes), at: .at(0))
        _ = machine.nextStep()
        _ = machine.handle(.folder(.applyBegins(newer.id)), at: .at(0))
        _ = machine.handle(.folder(.rests), at: .at(0))
    }

    func begin(_ machine: inout SaveSetMachine) {
        _ = machine.handle(.play(.programFound(since: .at(0))), at: .at(0))
        _ = machine.handle(.deadline, at: .at(1))
    }
}
