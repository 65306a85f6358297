package import LinuxPlatform
package import SaveRules

/// The trace of a simulation: each event of each game of the process, the state after it and its effects.
@Engine
package enum StepTrace {
    /// Receives each step; nil outside a simulation.
    package static var observe: (@Engine (SaveSetEvent, SaveSetMachine, [SaveSetEffect]) -> Void)?
}
