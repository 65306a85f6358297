public import Vocabulary

/// The answer to an offer.
public enum Verdict: Hashable, Sendable {
    /// The peer accepts the offer.
    case accepted
    /// The peer refuses the offer, with the reason.
    case refused(PartingReason)
}

extension Verdict: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        let raw: UInt8 = try reader.integer()
        self = raw == 0 ? .accepted : .refused(try reader.reason(rawValue: raw, or: .declined))
    }

    func write(to bytes: inout [UInt8]) {
        switch self {
        case .accepted: bytes.append(0)
        case .refused(let reason): reason.write(to: &bytes)
        }
    }
}
