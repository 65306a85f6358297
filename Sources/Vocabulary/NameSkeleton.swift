/// What a name looks like: two names with the same skeleton can be taken for each other.
///
/// It serves to warn and is never compared instead of a name.
package struct NameSkeleton: Hashable, Sendable {
    /// Texts are equal where Unicode holds them equal, an accent of its own or not.
    private let text: String

    package init(_ name: InstanceName) {
        var skeleton = ""
        for scalar in name.text.unicodeScalars {
            let properties = scalar.properties
            if properties.isWhitespace {
                if !skeleton.isEmpty, !skeleton.hasSuffix(" ") { skeleton += " " }
            } else if PrintableText.isHarmless(scalar) {
                // Avahi calls a second machine “Desk #2”, which “Desk#2” pretends to be.
                if scalar == "#", skeleton.hasSuffix(" ") { skeleton.removeLast() }
                skeleton.unicodeScalars.append(contentsOf: LookalikeTable.prototypes(of: scalar))
            }
        }
        while skeleton.hasSuffix(" ") { skeleton.removeLast() }
        text = skeleton.replacing("rn", with: "m")
    }
}

extension InstanceName {
    /// Whether a person may take one for the other, though they are or are not the same name.
    package func looksLike(_ other: InstanceName) -> Bool { NameSkeleton(self) == NameSkeleton(other) }
}
