import Dispatch
import Glibc
import LinuxPlatform

/// Says goodbye where the program ends by itself, in the name of all its peers: nobody waits for one to come back whose program is over.
@Engine
enum Farewell {
    private static var stations: [WeakStation] = []

    private struct WeakStation {
        weak let station: Station?
    }

    /// How long the program's end may take for it.
    private nonisolated static let patience = DispatchTimeInterval.seconds(2)

    /// Whoever has ended by a signal says nothing, as with every program.
    private nonisolated static let promise: Void = { atexit { @Sendable in say() } }()

    /// From now on this peer says goodbye, too.
    static func include(_ station: Station) {
        promise
        stations = stations.filter { $0.station != nil } + [WeakStation(station: station)]
    }

    private nonisolated static func say() {
        // It is said on the engine's thread, which can't wait for itself.
        guard !EventLoop.shared.isCurrent else { return }
        let isSaid = DispatchSemaphore(value: 0)
        Engine.begin {
            let parting = stations.compactMap(\.station).map { station in Engine.begin { await station.part() } }
            for goodbye in parting { await goodbye.value }
            isSaid.signal()
        }
        _ = isSaid.wait(timeout: .now() + patience)
    }
}
