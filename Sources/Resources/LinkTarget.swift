/// Where a symbolic link within a folder leads, which is never out of it.
///
/// It is relative, and `..` stands only at its beginning, no more often than the link lies deep. Steps up after steps down
/// are refused, because a name on the way may be a link itself and its `..` elsewhere; so nothing has to be looked up to
/// know that a chain of such links stays inside.
package struct LinkTarget: Hashable, Sendable {
    package let text: String

    /// - Parameters:
    ///   - bytes: the target as the link has it
    ///   - depth: how many folders below the resource's own the link lies; nil is the answer where it might lead out
    package init?(_ bytes: some Collection<UInt8>, depth: Int) {
        guard (1...PackLimits.linkTarget).contains(bytes.count),
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

    package static func == (left: LinkTarget, right: LinkTarget) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }
}
