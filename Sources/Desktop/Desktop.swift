import Glibc
import LinuxPlatform

/// The desktop that the person has logged in to.
package struct Desktop: Sendable {
    /// How long a program that has just answered may take to show something. The daemon's end may have to wait for it.
    private static let patience: Duration = .seconds(4)

    private let address: String

    /// Nil where the environment names no session bus.
    package init?(_ environment: [String: String]) {
        guard let address = Self.address(environment) else { return nil }
        self.address = address
    }

    /// A bus is never started, only found.
    private static func address(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            return address.hasPrefix("autolaunch:") ? nil : address
        }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"),
            // What an address would need escapes for is in no such path.
            folder.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/-_.".contains($0)) }),
            access("\(folder)/bus", F_OK) == 0
        else { return nil }
        return "unix:path=\(folder)/bus"
    }

    /// Shows something until a button is pressed, and answers with it; nil where it was closed without one. When the task is cancelled, it
    /// is taken off the desktop.
    ///
    /// - Throws: ``DesktopError``, or `CancellationError`
    package func show(_ notice: DesktopNotice) async throws -> DesktopNotice.Button? {
        let bus = try await BusConnection(to: address)
        do {
            let button = try await Self.show(notice, over: bus)
            await bus.close()
            return button
        } catch {
            await bus.close()
            throw error
        }
    }

    private static func show(_ notice: DesktopNotice, over bus: BusConnection) async throws -> DesktopNotice.Button? {
        await bus.follow(NotificationService.rule)
        let abilities = Set(try await bus.answer(to: bus.ask("GetCapabilities")).texts)
        let number = try await bus.ask("Notify") { write(&$0, notice, for: abilities) }
        let shown = try await self.number(from: number, over: bus)
        do {
            let button = try await pressed(on: shown, notice, over: bus)
            // Some desktops leave it there.
            _ = try? await bus.ask("CloseNotification") { $0.number(shown) }
            return button
        } catch {
            _ = try? await bus.ask("CloseNotification") { $0.number(shown) }
            throw error
        }
    }

    /// What the notification is called, so that it can be taken back. That is waited for also when the task is cancelled: by then it may be
    /// on the desktop.
    private static func number(from question: UInt32, over bus: BusConnection) async throws -> UInt32 {
        let asking = Task(executorPreference: EventLoop.shared.taskExecutor) {
            try await EventLoop.shared.withDeadline(patience, "Notify") {
                try await bus.answer(to: question).numbers.first
            }
        }
        do {
            guard let shown = try await asking.value else { throw DesktopError.noService("no number") }
            return shown
        } catch let error as SystemError {
            throw DesktopError.noService("\(error)")
        }
    }

    private static func pressed(
        on shown: UInt32,
        _ notice: DesktopNotice,
        over bus: BusConnection
    ) async throws -> DesktopNotice.Button? {
        while true {
            let message = try await bus.next()
            guard case .signal(let name) = message.kind, message.values.numbers.first == shown else { continue }
            switch name {
            case "NotificationClosed": return nil
            case "ActionInvoked":
                let key = message.values.texts.first
                if let button = notice.buttons.first(where: { $0.key == key }) { return button }
            default: continue
            }
        }
    }

    private static func write(_ writer: inout BusWriter, _ notice: DesktopNotice, for abilities: Set<String>) {
        writer.text("Huddle")
        // A new one, in place of none.
        writer.number(0)
        writer.text("network-workgroup")
        writer.text(notice.title)
        writer.text(notice.body(for: abilities))
        writer.texts(abilities.contains("actions") ? notice.buttons.flatMap { [$0.key, $0.label] } : [])
        // Usual urgency: a stranger may have caused it.
        writer.hints(["urgency": .byte(1), "desktop-entry": .text("huddle"), "category": .text("network")])
        // It stays until it is answered or taken back.
        writer.signed(0)
    }
}
