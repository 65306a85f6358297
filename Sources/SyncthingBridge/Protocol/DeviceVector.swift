/// The version of one file: the number of changes by each device. Devices are named by ``DeviceID/short``.
package struct DeviceVector: Hashable, Sendable {
    /// A device and its counter.
    package struct Counter: Hashable, Sendable {
        package var device: UInt64
        package var value: UInt64
    }

    /// Sorted by device, each once, none 0.
    package private(set) var counters: [Counter] = []

    package static let empty = DeviceVector(counting: [:])

    package init(counting values: [UInt64: UInt64]) {
        counters = values.filter { $0.value > 0 }.map { Counter(device: $0.key, value: $0.value) }
            .sorted { $0.device < $1.device }
    }

    /// The order of two versions.
    package enum Order: Hashable, Sendable {
        case equal
        case newer
        case older
        case concurrent
    }

    package subscript(device: UInt64) -> UInt64 {
        counters.first { $0.device == device }?.value ?? 0
    }

    /// The place of this version in relation to another one.
    package func order(to other: DeviceVector) -> Order {
        let isBehind = other.counters.contains { $0.value > self[$0.device] }
        let isAhead = counters.contains { $0.value > other[$0.device] }
        switch (isAhead, isBehind) {
        case (false, false): return .equal
        case (true, false): return .newer
        case (false, true): return .older
        case (true, true): return .concurrent
        }
    }

    /// The least version that includes both.
    package func merged(with other: DeviceVector) -> DeviceVector {
        let pairs = (counters + other.counters).map { ($0.device, $0.value) }
        return DeviceVector(counting: Dictionary(pairs, uniquingKeysWith: max))
    }

    /// The version after a change by a device. As in Syncthing, the counter is at least the time. Otherwise a device
    /// that lost its index and begins again at 1 would be older than its own past.
    package func changed(by device: UInt64, at seconds: UInt64) -> DeviceVector {
        var values = Dictionary(uniqueKeysWithValues: counters.map { ($0.device, $0.value) })
        let old = self[device]
        values[device] = max(old == .max ? old : old + 1, seconds)
        return DeviceVector(counting: values)
    }
}

extension DeviceVector {
    init(decoding reader: ProtobufReader) throws(ProtocolViolation) {
        var (reader, values) = (reader, [UInt64: UInt64]())
        while let field = try reader.next() {
            guard field.number == 1 else { continue }
            var (device, value) = (0 as UInt64, 0 as UInt64)
            var counter = try field.message()
            while let field = try counter.next() {
                switch field.number {
                case 1: device = try field.unsigned()
                case 2: value = try field.unsigned()
                default: break
                }
            }
            values[device] = max(value, values[device] ?? 0)
            guard values.count <= BridgeLimits.counters else {
                throw ProtocolViolation("sent a version of more than \(BridgeLimits.counters) devices")
            }
        }
        self.init(counting: values)
    }

    func write(to writer: inout ProtobufWriter) {
        for counter in counters {
            writer.message(1) { writer in
                writer.number(1, counter.device)
                writer.number(2, counter.value)
            }
        }
    }
}
