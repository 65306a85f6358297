/// The folders that a device shares with this one: the first message of each connection.
package struct ClusterConfig: Hashable, Sendable {
    package struct Folder: Hashable, Sendable {
        package var id: String
        package var label: String
        package var isPaused = false
        /// All devices that take part, both ends of the connection among them.
        package var devices: [Device] = []

        package init(id: String, label: String) {
            (self.id, self.label) = (id, label)
        }
    }

    package struct Device: Hashable, Sendable {
        package var id: DeviceID
        package var name: String
        /// The number of the device's index; 0 if the sender has none of it.
        package var indexID: UInt64
        /// The greatest sequence of the device that the sender has.
        package var sequence: Int64

        package init(id: DeviceID, name: String, indexID: UInt64, sequence: Int64) {
            (self.id, self.name, self.indexID, self.sequence) = (id, name, indexID, sequence)
        }
    }

    package var folders: [Folder]

    package init(folders: [Folder]) {
        self.folders = folders
    }

    init(decoding bytes: ArraySlice<UInt8>) throws(ProtocolViolation) {
        var (reader, folders) = (ProtobufReader(bytes), [Folder]())
        while let field = try reader.next() {
            guard field.number == 1 else { continue }
            guard folders.count < BridgeLimits.folders else { throw ProtocolViolation("shares too many folders") }
            folders.append(try Folder(decoding: field.message()))
        }
        self.folders = folders
    }

    var body: [UInt8] {
        var writer = ProtobufWriter()
        for folder in folders { writer.message(1, folder.write) }
        return writer.bytes
    }
}

extension ClusterConfig.Folder {
    init(decoding reader: ProtobufReader) throws(ProtocolViolation) {
        self.init(id: "", label: "")
        var reader = reader
        while let field = try reader.next() {
            switch field.number {
            case 1: id = try field.text()
            case 2: label = try field.text()
            case 7: isPaused = try field.isTrue()
            case 16:
                guard devices.count < BridgeLimits.folders else { throw ProtocolViolation("names too many devices") }
                devices.append(try ClusterConfig.Device(decoding: field.message()))
            default: break
            }
        }
    }

    func write(to writer: inout ProtobufWriter) {
        writer.text(1, id)
        writer.text(2, label)
        writer.flag(7, isPaused)
        for device in devices { writer.message(16, device.write) }
    }
}

extension ClusterConfig.Device {
    init(decoding reader: ProtobufReader) throws(ProtocolViolation) {
        var (reader, id) = (reader, DeviceID?.none)
        var (name, indexID, sequence) = ("", 0 as UInt64, 0 as Int64)
        while let field = try reader.next() {
            switch field.number {
            case 1: id = DeviceID(bytes: try field.bytes())
            case 2: name = try field.text()
            case 6: sequence = try field.signed()
            case 8: indexID = try field.unsigned()
            default: break
            }
        }
        guard let id else { throw ProtocolViolation("named a device without an id") }
        self.init(id: id, name: name, indexID: indexID, sequence: sequence)
    }

    func write(to writer: inout ProtobufWriter) {
        writer.data(1, id.bytes)
        writer.text(2, name)
        writer.number(6, sequence)
        writer.number(8, indexID)
    }
}
