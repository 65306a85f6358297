import Glibc
import LinuxPlatform

/// The desktop of the logged-in user.
package struct Desktop: Sendable {
    /// The timeout for the reply to `Notify`. A cancelled task waits for that reply, so it delays the daemon's exit.
    private static let notifyTimeout: Duration = .seconds(4)

    private let address: String

    /// Finds the session bus; nil if the environment names none.
    package init?(_ environment: [String: String]) {
        guard let address = Self.address(environment) else { return nil }
        self.address = address
    }

    /// The address of a bus that runs already. An `autolaunch:` address would start one, so it counts as none.
    private static func address(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            return address.hasPrefix("autolaunch:") ? nil : address
        }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"),
            // Other characters would need escapes in a D-Bus address.
            folder.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/-_.".contains($0)) }),
            access("\(folder)/bus", F_OK) == 0
        else { return nil }
        return "unix:path=\(folder)/bus"
    }

    /// Shows a notification until the user presses a button, and returns that button; nil if the user closed it.
    ///
    /// If the task is cancelled, this withdraws the notification.
    ///
    /// - Throws: ``DesktopError``, or `CancellationError`
    package func show(_ notice: DesktopNotice) async throws -> DesktopNotice.Button? {
        let bus = try await BusConnection(to: address, for: .notifications)
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
        await bus.subscribe()
        let capabilities = Set(try await bus.reply(to: bus.call("GetCapabilities")).texts)
        let number = try await bus.call("Notify") { write(&$0, notice, for: capabilities) }
        let shown = try await self.number(from: number, over: bus)
        do {
            let button = try await pressed(on: shown, notice, over: bus)
            // Some desktops keep showing a notification after its button was pressed.
            _ = try? await bus.call("CloseNotification") { $0.number(shown) }
            return button
        } catch {
            _ = try? await bus.call("CloseNotification") { $0.number(shown) }
            throw error
        }
    }

    /// Waits for the number of the new notification, even if the task is cancelled. The desktop may show the
    /// notification already, and without its number the daemon could not withdraw it.
    private static func number(from call: UInt32, over bus: BusConnection) async throws -> UInt32 {
        let reply = Task(executorPreference: EventLoop.shared.taskExecutor) {
            try await EventLoop.shared.withDeadline(notifyTimeout, "Notify") {
                try await bus.reply(to: call).numbers.first
            }
        }
        do {
            guard let shown = try await reply.value else { throw DesktopError.noService("no number") }
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

    private static func write(_ writer: inout BusWriter, _ notice: DesktopNotice, for capabilities: Set<String>) {
        writer.text("Huddle")
        // Zero: a new notification, which replaces none.
        writer.number(0)
        writer.text("network-workgroup")
        writer.text(notice.title)
        writer.text(notice.body(for: capabilities))
        writer.texts(capabilities.contains("actions") ? notice.buttons.flatMap { [$0.key, $0.label] } : [])
        // Normal urgency: an unknown machine may have caused the notification.
        writer.hints(["urgency": .byte(1), "desktop-entry": .text("huddle"), "category": .text("network")])
        // Zero: the notification never expires.
        writer.signed(0)
    }
}
