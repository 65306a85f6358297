import LinuxPlatform

/// Walks over the records of a pack by their headers. Skips damaged bytes and reports them as gaps.
struct PackScan {
    enum Finding {
        /// A record with an intact header that ends within the scan.
        case record(RecordHeader, offset: UInt64)
        /// Bytes that belong to no intact header.
        case gap(Range<UInt64>)
        case end
    }

    /// The number of bytes that are read ahead while records are short.
    private static let wideWindow = 64 << 10
    private static let narrowWindow = 4 << 10

    private let file: PackFile
    private let seal: PackSeal
    private let end: UInt64
    private var offset: UInt64
    private var window: [UInt8] = []
    private var windowStart: UInt64 = 0
    private var windowSize = Self.wideWindow

    init(_ file: PackFile, from start: UInt64, to end: UInt64, sealedBy seal: PackSeal) {
        self.file = file
        self.seal = seal
        self.offset = start
        self.end = end
    }

    mutating func next() throws(SystemError) -> Finding {
        guard offset < end else { return .end }
        if let header = try header(at: offset) {
            defer { offset += UInt64(header.recordCount) }
            windowSize = header.storedCount > Self.narrowWindow ? Self.narrowWindow : Self.wideWindow
            return .record(header, offset: offset)
        }
        let start = offset
        offset = try nextHeader(after: start) ?? end
        return .gap(start..<offset)
    }

    private mutating func header(at place: UInt64) throws(SystemError) -> RecordHeader? {
        try show(place, RecordHeader.byteCount)
        let found = window.withUnsafeBytes { bytes -> RecordHeader? in
            let start = Int(place - windowStart)
            guard start < bytes.count else { return nil }
            let shown = UnsafeRawBufferPointer(rebasing: bytes[start...])
            return RecordHeader(shown, sealedBy: seal, pack: file.number, offset: place)
        }
        guard let found, place + UInt64(found.recordCount) <= end else { return nil }
        return found
    }

    /// Searches the next header byte by byte, because the length of a damaged record is unknown.
    private mutating func nextHeader(after start: UInt64) throws(SystemError) -> UInt64? {
        windowSize = Self.wideWindow
        var place = start + 1
        while place + UInt64(RecordHeader.byteCount) <= end {
            try show(place, RecordHeader.byteCount)
            // The pack may have become shorter since the scan began.
            guard !window.isEmpty else { return nil }
            let from = Int(place - windowStart)
            guard let candidate = Self.firstMark(in: window, from: from) else {
                // A mark may begin in the last bytes and end behind them.
                place = max(place + 1, windowStart + UInt64(max(window.count - 3, 0)))
                continue
            }
            place = windowStart + UInt64(candidate)
            if try header(at: place) != nil { return place }
            place += 1
        }
        return nil
    }

    private static func firstMark(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var place = start
            while place + 4 <= bytes.count {
                if bytes[place] == RecordHeader.mark[0], bytes[place + 1] == RecordHeader.mark[1],
                    bytes[place + 2] == RecordHeader.mark[2], bytes[place + 3] == RecordHeader.mark[3]
                {
                    return place
                }
                place += 1
            }
            return nil
        }
    }

    /// Loads the bytes at an offset into the window, as far as the scan goes.
    private mutating func show(_ place: UInt64, _ count: Int) throws(SystemError) {
        let wanted = min(place + UInt64(count), end)
        guard place < windowStart || wanted > windowStart + UInt64(window.count) else { return }
        windowStart = place
        window = try file.read(Int(min(UInt64(windowSize), end - place)), at: place)
    }
}
