import Glibc
import LinuxPlatform

/// A delay lock of the login manager, which gives the daemon a few seconds before the machine sleeps or switches off.
///
/// It costs nothing while nothing happens: the bus wakes the daemon only for the signals of the login manager.
package struct SleepDelay: Sendable {
    /// The login manager waits for this long by default (`InhibitDelayMaxSec` in logind.conf(5)).
    package static let limit = Duration.seconds(5)

    private let address: String
    private let why: String

    /// - Parameters:
    ///   - environment: may name the system bus
    ///   - why: the reason that `systemd-inhibit --list` shows
    package init(_ environment: [String: String], why: String) {
        let named = environment["DBUS_SYSTEM_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
        (address, self.why) = (named ?? "unix:path=/run/dbus/system_bus_socket", why)
    }

    /// Calls `prepare` each time before the machine sleeps or switches off, and lets it do so afterwards.
    ///
    /// - Throws: ``DesktopError`` if there is no bus or no login manager, or once either ends
    package func run(_ prepare: @escaping @Sendable () async -> Void) async throws {
        let bus = try await BusConnection(to: address, for: .logins)
        do {
            try await run(over: bus, prepare)
        } catch {
            await bus.close()
            throw error
        }
    }

    private func run(over bus: BusConnection, _ prepare: @Sendable () async -> Void) async throws -> Never {
        await bus.subscribe()
        while true {
            let lock = try await lock(over: bus)
            try await waitForSignal(isBeginning: true, over: bus)
            await prepare()
            // The machine continues to sleep or switch off once the last copy of the lock is closed.
            try lock.close()
            try await waitForSignal(isBeginning: false, over: bus)
        }
    }

    private func waitForSignal(isBeginning: Bool, over bus: BusConnection) async throws {
        while true {
            let message = try await bus.next()
            if case .signal(let name) = message.kind, ["PrepareForSleep", "PrepareForShutdown"].contains(name),
                message.values.flags.first == isBeginning
            {
                return
            }
        }
    }

    /// A lock that lasts until its descriptor is closed.
    private func lock(over bus: BusConnection) async throws -> OwnedDescriptor {
        let call = try await bus.call("Inhibit") { [why] in
            for text in ["sleep:shutdown", "Huddle", why, "delay"] { $0.text(text) }
        }
        guard let lock = try await bus.replyMessage(to: call).descriptor() else {
            throw DesktopError.noService("no lock")
        }
        return lock
    }
}
