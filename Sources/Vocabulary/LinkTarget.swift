/// Where a symbolic link within a folder leads, which is never out of it.
///
/// It is relative, and `..` stands only at its beginning, no more often than the link lies deep. Steps up after steps down
/// are refused, because a name on the way may be a link itself and its `..` elsewhere; so nothing has to be looked up to
/// know that a chain of such links stays inside.
public struct LinkTarget: Hashable, Sendable {
    /// How many bytes the kernel allows a link's target.
    public static let maximumByteCount = 4_095

    /// The target as the link has it.
    public let text: String

    /// - Parameters:
    ///   - bytes: the target as the link has it
    ///   - depth: how many folders below the outermost the link lies; nil is the answer where it might lead out
    public init?(_ bytes: some Collection<UInt8>, depth: Int) {
        guard (1...Self.maximumByteCount).contains(bytes.count),
            let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        guard Self.staysInside(text, depth: depth) else { return nil }
        self.text = text
    }

    private static func staysInside(_ text: String, depth: Int) -> Bool {
        let slash = UInt8(ascii: "/")
        guard text.utf8.first != slash else { return false }
        var (stepsUp, hasGoneDown) = (0, false)
        for step in text.utf8.split(separator: slash) where !step.elementsEqual(".".utf8) {
            guard step.elementsEqual("..".utf8) else {
                hasGoneDown = true
                continue
            }
            stepsUp += 1
            if hasGoneDown || stepsUp > depth { return false }
        }
        return true
    }

    /// Equal byte by byte.
    public static func == (left: LinkTarget, right: LinkTarget) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }
}
