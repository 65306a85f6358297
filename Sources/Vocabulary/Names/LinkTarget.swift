/// Target of a symbolic link inside a folder that never leads out of it.
///
/// It is relative, and has `..` only at its beginning, at most as often as the depth of the link. Steps up after steps
/// down are refused: a name between them may be a link itself, with its `..` elsewhere. So a chain of such links stays
/// inside, without any lookup.
public struct LinkTarget: Hashable, Sendable {
    /// Maximum length of a link's target in bytes.
    public static let maximumByteCount = 4_095

    /// The original target.
    public let text: String

    /// - Parameters:
    ///   - bytes: the original target
    ///   - depth: number of folders above the link, below the outermost; a target that might lead out gives nil
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

    /// Compares the bytes.
    public static func == (left: LinkTarget, right: LinkTarget) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }
}
