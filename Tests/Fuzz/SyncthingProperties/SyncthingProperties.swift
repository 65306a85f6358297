import SyncthingBridge

/// The properties of bytes from a device, checked by the fuzzer and by the tests.
public enum SyncthingProperties {
    /// A violated property; nil if all hold.
    public static func violation(for bytes: [UInt8]) -> String? {
        guard let kind = bytes.first else { return nil }
        let rest = Array(bytes.dropFirst())
        switch kind % 4 {
        case 0: return streamViolation(rest)
        case 1: return compressionViolation(rest)
        case 2: return announcementViolation(rest)
        default: return helloViolation(rest)
        }
    }

    /// The cut of the stream makes no difference, and messages that were read come back the same when written.
    private static func streamViolation(_ bytes: [UInt8]) -> String? {
        let whole = decoded(bytes, by: bytes.count)
        guard whole == decoded(bytes, by: 3) else { return "the cut of the stream makes a difference" }
        for message in whole.messages {
            if case .other = message { continue }
            guard decoded(message.encoded, by: 7).messages == [message] else { return "\(message) does not come back" }
        }
        return nil
    }

    private struct Outcome: Equatable {
        var messages: [DeviceMessage] = []
        var failure: ProtocolViolation?
    }

    private static func decoded(_ bytes: [UInt8], by count: Int) -> Outcome {
        var (decoder, outcome) = (MessageDecoder(), Outcome())
        do throws(ProtocolViolation) {
            for start in stride(from: 0, to: bytes.count, by: max(count, 1)) {
                decoder.append(bytes[start..<min(start + count, bytes.count)])
                while let message = try decoder.next() { outcome.messages.append(message) }
            }
        } catch {
            outcome.failure = error
        }
        return outcome
    }

    /// Compressed bytes come back, and a size beyond the limit is refused.
    private static func compressionViolation(_ bytes: [UInt8]) -> String? {
        if let plain = try? LZ4Block.decompressed(bytes[...], limit: 1 << 20), plain.count > 1 << 20 {
            return "a message is longer than its limit"
        }
        guard let packed = LZ4Block.compressed(bytes) else { return nil }
        guard packed.count < bytes.count else { return "compression makes a message longer" }
        return (try? LZ4Block.decompressed(packed[...])) == bytes ? nil : "a message does not come back"
    }

    private static func announcementViolation(_ bytes: [UInt8]) -> String? {
        guard let announcement = try? LocalAnnouncement(decoding: bytes) else { return nil }
        let again = try? LocalAnnouncement(decoding: announcement.encoded)
        let isSame = again?.device == announcement.device && again?.instance == announcement.instance
        return isSame || announcement.encoded.count > LocalAnnouncement.limit
            ? nil : "an announcement does not come back"
    }

    private static func helloViolation(_ bytes: [UInt8]) -> String? {
        guard let hello = try? HelloMessage(decoding: bytes) else { return nil }
        let body = Array(hello.encoded.dropFirst(HelloMessage.headCount))
        return (try? HelloMessage(decoding: body)) == hello ? nil : "a Hello does not come back"
    }
}
