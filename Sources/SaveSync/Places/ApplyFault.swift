#if DEBUG
    import Glibc
    import SaveFolder
    import Synchronization

    /// A fault at a named step of changing a folder, only in a build for development. `make torture` uses it.
    ///
    /// The variable `HUDDLE_FAULT` of the environment names it. With `kill:exchanged:1` the program dies the first time
    /// that any game reaches ``ApplyPoint/exchanged``; with `stop` in place of `kill` it stops there.
    enum ApplyFault {
        private struct Plan {
            let signal: CInt
            let point: ApplyPoint
            let count: Int
        }

        private static let plan: Plan? = {
            guard let text = getenv("HUDDLE_FAULT") else { return nil }
            let words = String(cString: text).split(separator: ":")
            guard words.count == 3, let signal = ["kill": SIGKILL, "stop": SIGSTOP][String(words[0])],
                let point = ApplyPoint(rawValue: String(words[1])), let count = Int(words[2])
            else { preconditionFailure("HUDDLE_FAULT is kill or stop, a step, and how often it was reached then") }
            return Plan(signal: signal, point: point, count: count)
        }()
        private static let reached = Atomic(0)

        static let observe: @Sendable (ApplyPoint) -> Void = { point in
            guard let plan, plan.point == point,
                reached.add(1, ordering: .relaxed).newValue == plan.count
            else { return }
            kill(getpid(), plan.signal)
        }
    }
#endif
