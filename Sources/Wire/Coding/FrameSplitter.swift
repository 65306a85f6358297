/// Cuts a stream of bytes into payloads. It knows the lengths and types of frames, but not their meaning.
///
/// `held` stores small frames one after the other, with their headers, and only the header of a large frame. The
/// payload of a large frame goes directly into an array of its own, which `next()` returns. Skipped payloads are never
/// stored.
struct FrameSplitter: Sendable {
    /// The fault after which the stream can't be cut further.
    struct Refusal {
        let fault: WireError.Fault
        let type: UInt8
    }

    enum Place {
        case header
        case small(missing: Int)
        case large(missing: Int)
        case skipped(missing: Int)
        /// The rest of the payload goes to the caller as it arrives.
        case passed(missing: Int)
        case refused(Refusal)
    }

    /// The size from which on a payload gets an array of its own, in bytes.
    static let largeByteCount = 2048

    private let payloadLimit: Int
    /// The largest payload of a known type, in bytes.
    private let wordLimit: Int
    /// The largest payloads of those types that may exceed `wordLimit`, in bytes.
    var largerLimits: [UInt8: Int]
    private let known: FrameTypes
    var place = Place.header
    /// The received bytes of an incomplete header.
    var header: UInt32 = 0
    var headerCount = 0
    var held: [UInt8] = []
    /// The index in `held` of the next frame that `next()` has not returned.
    var start = 0
    var payloads: [[UInt8]] = []
    var payloadsTaken = 0

    init(payloadLimit: Int, wordLimit: Int, largerLimits: [UInt8: Int], known: FrameTypes) {
        self.payloadLimit = payloadLimit
        self.wordLimit = wordLimit
        self.largerLimits = largerLimits
        self.known = known
    }

    var heldByteCount: Int {
        held.count - start + headerCount + payloads[payloadsTaken...].reduce(0) { $0 + $1.count }
    }

    /// Drops everything that is stored.
    mutating func discard() {
        (held, start, payloads, payloadsTaken) = ([], 0, [], 0)
        (header, headerCount) = (0, 0)
    }
}

extension FrameSplitter {
    mutating func append(_ input: UnsafeRawBufferPointer) {
        dropHandedOut()
        var position = 0
        while position < input.count {
            switch place {
            case .header:
                header = header << 8 | UInt32(input[position])
                headerCount += 1
                position += 1
                if headerCount == WireLimits.headerByteCount { beginPayload() }
            case .small(let missing):
                let taken = input[position...].prefix(missing)
                held.append(contentsOf: taken)
                position += taken.count
                place = missing > taken.count ? .small(missing: missing - taken.count) : .header
            case .large(let missing):
                let taken = input[position...].prefix(missing)
                payloads[payloads.count - 1].append(contentsOf: taken)
                position += taken.count
                place = missing > taken.count ? .large(missing: missing - taken.count) : .header
            case .skipped(let missing):
                let taken = min(missing, input.count - position)
                position += taken
                place = missing > taken ? .skipped(missing: missing - taken) : .header
            case .passed:
                preconditionFailure("a caller that passes bytes does so to the end of their frame")
            case .refused:
                return
            }
        }
    }

    /// Chooses the destination of a payload by its header.
    mutating func beginPayload() {
        let (type, length) = (UInt8(header >> 24), Int(header & 0xFF_FFFF))
        let whole = header
        (header, headerCount) = (0, 0)
        if length > wordLimit, length > limit(of: type) {
            let limit = limit(of: type)
            place = .refused(Refusal(fault: .frameTooLong(length: length, limit: limit), type: type))
        } else if known.contains(type) {
            held.append(integer: whole)
            place = length == 0 ? .header : .small(missing: length)
            guard length >= Self.largeByteCount else { return }
            payloads.append([])
            payloads[payloads.count - 1].reserveCapacity(length)
            place = .large(missing: length)
        } else if FrameTypes.maySkip(type) {
            place = length == 0 ? .header : .skipped(missing: length)
        } else {
            place = .refused(Refusal(fault: .unknownFrame, type: type))
        }
    }

    private func limit(of type: UInt8) -> Int {
        known.contains(type) ? largerLimits[type] ?? wordLimit : payloadLimit
    }

    /// Moves the rest to the front once it is smaller than the returned part: so each byte moves at most once.
    private mutating func dropHandedOut() {
        if start == held.count {
            held.removeAll(keepingCapacity: held.capacity <= WireLimits.controlPayload)
            start = 0
        } else if start > held.count / 2 {
            held.removeSubrange(..<start)
            start = 0
        }
        if payloadsTaken == payloads.count {
            payloads.removeAll(keepingCapacity: payloads.capacity <= 64)
            payloadsTaken = 0
        } else if payloadsTaken > payloads.count / 2 {
            payloads.removeSubrange(..<payloadsTaken)
            payloadsTaken = 0
        }
    }
}

extension FrameSplitter {
    /// Returns the next whole payload; nil until more bytes arrive.
    mutating func next() -> (type: UInt8, payload: [UInt8])? {
        guard start < held.count else { return nil }
        let (type, length) = headerAtStart()
        let payloadStart = start + WireLimits.headerByteCount
        if length >= Self.largeByteCount {
            guard payloads[payloadsTaken].count == length else { return nil }
            var payload: [UInt8] = []
            swap(&payload, &payloads[payloadsTaken])
            payloadsTaken += 1
            start = payloadStart
            return (type, payload)
        }
        guard held.count - payloadStart >= length else { return nil }
        start = payloadStart + length
        return (type, Array(held[payloadStart..<start]))
    }

    /// The fault that ends the stream after the frames that ``next()`` still returns.
    var refusal: Refusal? {
        guard case .refused(let refusal) = place else { return nil }
        return refusal
    }

    private func headerAtStart() -> (type: UInt8, length: Int) {
        (held[start], Int(held[start + 1]) << 16 | Int(held[start + 2]) << 8 | Int(held[start + 3]))
    }
}
