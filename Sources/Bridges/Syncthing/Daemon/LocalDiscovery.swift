import LinuxPlatform
import SyncthingBridge
import Vocabulary

/// Finds devices on this network, and lets them find this machine: Syncthing's local discovery by IPv6 multicast.
///
/// It announces only while a paired device is not online, since no timer runs while there is nothing to find.
@Engine final class LocalDiscovery {
    private let own: DeviceID
    private let found: @Engine @Sendable (DeviceID) -> Void
    private let instance = Int64(bitPattern: RandomNumbers.next())
    private var heard = HeardDevices()
    private var sockets: [UInt32: Listening] = [:]
    private var timer: ScheduledTimer?
    /// The port on which this machine listens for devices; nil while nothing is announced.
    private var port: UInt16?

    private struct Listening {
        let socket: DatagramSocket
        let task: Task<Void, Never>
    }

    private static let interval = Duration.seconds(30)
    /// The group of Syncthing's local discovery: ff12::8384.
    private static func group(on index: UInt32) -> SocketAddress {
        SocketAddress(.v6(high: 0xFF12_0000_0000_0000, low: 0x8384, interface: index), port: LocalAnnouncement.port)
    }

    /// - Parameter found: receives devices that can be dialled now
    init(as own: DeviceID, finding found: @escaping @Engine @Sendable (DeviceID) -> Void) {
        (self.own, self.found) = (own, found)
    }

    /// The addresses at which a device can be tried.
    func addresses(of device: DeviceID) -> [SocketAddress] { heard.addresses(of: device, at: .now) }

    /// Listens, and announces this machine until ``rest()``.
    ///
    /// - Parameter port: the port on which this machine listens for devices
    func announce(_ port: UInt16) {
        guard self.port != port else { return }
        self.port = port
        repeatAnnouncement()
    }

    /// Ends the announcements, and listens on.
    func rest() {
        port = nil
        timer?.cancel()
    }

    /// Ends everything.
    func end() {
        rest()
        for listening in sockets.values { listening.task.cancel() }
        sockets = [:]
    }

    private func repeatAnnouncement() {
        guard port != nil else { return }
        openSockets()
        sendAnnouncement()
        timer?.cancel()
        timer = Engine.schedule(at: .now + Self.interval) { @Sendable [weak self] in self?.repeatAnnouncement() }
    }

    private func sendAnnouncement() {
        guard let port else { return }
        let announcement = LocalAnnouncement(device: own, addresses: ["tcp://0.0.0.0:\(port)"], instance: instance)
        for (index, listening) in sockets {
            _ = listening.socket.send(announcement.encoded, to: Self.group(on: index))
        }
    }

    /// Opens a socket on each interface that has none yet: interfaces come and go.
    private func openSockets() {
        let usable = ((try? NetworkInterface.all()) ?? []).filter {
            $0.isRunning && !$0.isLoopback && $0.takesMulticast && !$0.isPointToPoint
        }
        let indices = Set(usable.map(\.index))
        for (index, listening) in sockets where !indices.contains(index) {
            listening.task.cancel()
            sockets[index] = nil
        }
        for index in indices where sockets[index] == nil {
            guard let socket = try? DatagramSocket(joining: Self.group(on: index), on: index, loop: .shared) else {
                continue
            }
            let task = Task { [weak self] in
                while let received = try? await socket.receive(upTo: LocalAnnouncement.limit) {
                    self?.take(received)
                }
            }
            sockets[index] = Listening(socket: socket, task: task)
        }
    }

    private func take(_ received: DatagramSocket.Received) {
        guard let announcement = try? LocalAnnouncement(decoding: received.bytes), announcement.device != own else {
            return
        }
        let isNew = heard.take(announcement, from: received.sender, at: .now)
        if isNew { sendAnnouncement() }
        found(announcement.device)
    }
}
