import SaveRules
import Vocabulary
import Workbench

extension MachineTable {
    init(_ page: String, state: @escaping (Machine) -> String) {
        self.init(page, words: Self.words, state: state)
    }

    /// The name of an action, with its values if they matter.
    private static func words(_ action: Any) -> String? {
        switch action {
        case Exchange.Action.refuse(let refusal), SnapshotFetch.Action.refuse(_, let refusal):
            "refuse \(refusal.code)"
        case PlayLease.Action.send(let claim): claim.isHeld ? "send “plays”" : "send “asks”"
        case PlayTracker.Effect.send(let claim): claim.isHeld ? "send “plays”" : "send “asks”"
        case PlayTracker.Effect.report(let event):
            "report \(name(of: event))"
        case SaveSetEffect.play(let effect): words(effect) ?? name(of: effect)
        case SaveSetEffect.tell(let event): "tell \(name(of: event))"
        default: nil
        }
    }

    private static func name(of value: Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? "\(value)"
    }
}

extension MachineTable where Machine == Settling {
    static func settling() -> Self {
        func after(_ events: (inout Settling) -> Void = { _ in }) -> Settling {
            var machine = Settling()
            events(&machine)
            return machine
        }
        func checking(_ machine: inout Settling) {
            _ = machine.changed(at: .at(0))
            _ = machine.deadlinePassed(at: .at(1))
        }
        var table = Self("settling") { $0.state.rawValue }
        table.row("still") { after() }
        table.row("stirring") { after { _ = $0.changed(at: .at(0)) } }
        table.row("checking") { after(checking) }
        table.row("occupied") {
            after {
                checking(&$0)
                _ = $0.checked(isOccupied: true)
            }
        }
        table.row("reading") {
            after {
                checking(&$0)
                _ = $0.checked(isOccupied: false)
            }
        }
        table.row("disturbed") {
            after {
                checking(&$0)
                _ = $0.checked(isOccupied: false)
                _ = $0.changed(at: .at(2))
            }
        }
        table.column("changed, or closed") { $0.changed(at: .at(3)) }
        table.column("after 0.2 s") { $0.deadlinePassed(at: .at(0.2)) }
        table.column("after 5 s") { $0.deadlinePassed(at: .at(5)) }
        table.column("after 30 s") { $0.deadlinePassed(at: .at(30)) }
        table.column("no program writes") { $0.checked(isOccupied: false) }
        table.column("a program writes") { $0.checked(isOccupied: true) }
        table.column("read", traps: ["still", "stirring", "checking", "occupied"]) { $0.read() }
        return table
    }
}
