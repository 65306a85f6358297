/// The appearance of a name: names with the same skeleton can be confused.
///
/// It is used for warnings, never to compare names.
package struct NameSkeleton: Hashable, Sendable {
    /// Swift compares texts by canonical equivalence, with combined or separate accents.
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
    /// True if the user may confuse the names.
    package func looksLike(_ other: InstanceName) -> Bool { NameSkeleton(self) == NameSkeleton(other) }
}
