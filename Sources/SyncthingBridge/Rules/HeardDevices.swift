package import LinuxPlatform

/// The devices that announced themselves on this LAN. Any machine can announce anything: the addresses are only tried,
/// and the certificate decides.
package struct HeardDevices: Hashable, Sendable {
    /// The time for which an announcement counts, three times its interval.
    package static let patience = Duration.seconds(90)
    /// The most devices that are remembered.
    package static let limit = 256

    private struct Heard: Hashable, Sendable {
        var addresses: [SocketAddress]
        var instance: Int64
        var time: ContinuousClock.Instant
    }

    private var devices: [DeviceID: Heard] = [:]

    package init() {}

    /// Takes an announcement.
    ///
    /// - Returns: true if the device has just appeared or started again, and should learn of this one at once
    package mutating func take(
        _ announcement: LocalAnnouncement,
        from sender: SocketAddress,
        at now: ContinuousClock.Instant
    ) -> Bool {
        devices = devices.filter { $0.value.time + Self.patience > now }
        let known = devices[announcement.device]
        guard known != nil || devices.count < Self.limit else { return false }
        var addresses: [SocketAddress] = []
        for text in announcement.addresses {
            guard let address = DeviceAddress(text)?.resolved(from: sender.address), !addresses.contains(address) else {
                continue
            }
            addresses.append(address)
        }
        devices[announcement.device] = Heard(addresses: addresses, instance: announcement.instance, time: now)
        return known?.instance != announcement.instance
    }

    /// The addresses at which a device can be tried, the announced order first.
    package func addresses(of device: DeviceID, at now: ContinuousClock.Instant) -> [SocketAddress] {
        guard let heard = devices[device], heard.time + Self.patience > now else { return [] }
        return heard.addresses
    }
}
