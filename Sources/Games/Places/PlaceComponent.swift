import Vocabulary

/// One component of a place: a name, a pattern for names, a hole, or any number of folders.
///
/// It is made only from its text, so that printing and parsing agree. It never leads up or elsewhere.
package struct PlaceComponent: Sendable, Hashable, CustomStringConvertible {
    package enum Form: Sendable, Hashable {
        case name
        case pattern
        case hole(PlaceHole)
        /// `**`: no folder, one or several.
        case anyDepth
    }

    package let text: String
    package let form: Form

    package var description: String { text }

    package init(_ text: String) throws(PlaceRefusal) {
        if let hole = PlaceHole.allCases.first(where: { $0.written == text }) {
            (self.text, form) = (text, .hole(hole))
            return
        }
        if text == "**" {
            (self.text, form) = (text, .anyDepth)
            return
        }
        guard (try? FileName(text)) != nil, text.utf8.count <= FileName.maximumByteCount else { throw .notAName(text) }
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }) else {
            throw .unknownPlaceholder(text)
        }
        guard !text.contains("**") else { throw .tooBroad(text) }
        let isPattern = text.utf8.contains {
            $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[")
        }
        (self.text, form) = (text, isPattern ? .pattern : .name)
    }

    /// True if only one name matches.
    package var isFixed: Bool { form == .name }

    /// The number of literal letters and digits in a pattern.
    var literalCount: Int {
        switch form {
        case .name: text.utf8.count
        case .hole, .anyDepth: 0
        case .pattern: NamePattern(text).literalCount
        }
    }

    /// Returns true if a name in a folder matches.
    package func matches(_ name: String, ignoringCase: Bool) -> Bool {
        switch form {
        case .anyDepth: true
        case .hole(let hole): hole.admits(name)
        case .name: ignoringCase ? name.lowercased() == text.lowercased() : name.utf8.elementsEqual(text.utf8)
        case .pattern: NamePattern(text).matches(name, ignoringCase: ignoringCase)
        }
    }
}
