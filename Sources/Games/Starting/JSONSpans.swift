/// The places of the parts of a JSON text, so that one part can be changed and every other byte stays.
///
/// The text is valid JSON: it was read before.
struct JSONSpans {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The value at a path of keys; nil if there is none.
    func value(at keys: [String]) -> Range<Int>? {
        var span = end(of: skipped(0)).map { skipped(0)..<$0 }
        for key in keys {
            guard let object = span, bytes[object.lowerBound] == UInt8(ascii: "{") else { return nil }
            span = members(of: object).last { text($0.key) == key }?.value
        }
        return span
    }

    /// The elements of an array.
    func elements(of array: Range<Int>) -> [Range<Int>] {
        var (elements, place) = ([Range<Int>](), skipped(array.lowerBound + 1))
        while place < array.upperBound, bytes[place] != UInt8(ascii: "]"), let end = end(of: place) {
            elements.append(place..<end)
            place = skipped(end)
            if place < bytes.count, bytes[place] == UInt8(ascii: ",") { place = skipped(place + 1) }
        }
        return elements
    }

    private func members(of object: Range<Int>) -> [(key: Range<Int>, value: Range<Int>)] {
        var (members, place) = ([(Range<Int>, Range<Int>)](), skipped(object.lowerBound + 1))
        while place < object.upperBound, bytes[place] == UInt8(ascii: "\""), let key = end(of: place) {
            let start = skipped(skipped(key) + 1)
            guard let end = end(of: start) else { break }
            members.append((place..<key, start..<end))
            place = skipped(end)
            if place < bytes.count, bytes[place] == UInt8(ascii: ",") { place = skipped(place + 1) }
        }
        return members
    }

    /// A key as it is written. A key with escapes never matches: no key that Huddle looks for has any.
    private func text(_ key: Range<Int>) -> String {
        String(decoding: bytes[key].dropFirst().dropLast(), as: UTF8.self)
    }

    /// The end of the value that begins at a place.
    private func end(of start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "\""): return endOfText(start)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var (depth, place) = (0, start)
            while place < bytes.count {
                switch bytes[place] {
                case UInt8(ascii: "\""):
                    guard let end = endOfText(place) else { return nil }
                    place = end
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 { return place + 1 }
                default: break
                }
                place += 1
            }
            return nil
        default: return bytes[start...].firstIndex { Self.ends.contains($0) } ?? bytes.count
        }
    }

    private static let ends = Set(Array(",}] \t\r\n".utf8))

    private func endOfText(_ start: Int) -> Int? {
        var place = start + 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place < bytes.count ? place + 1 : nil
    }

    /// The next place with a character other than white space.
    private func skipped(_ place: Int) -> Int {
        bytes[min(place, bytes.count)...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count
    }
}
