/// An element of an XML document: its name, its attributes and what stands in it, all in their order.
public struct XMLElement: Hashable, Sendable {
    /// With the prefix of its namespace, as it is written.
    public var name: String
    /// No name stands twice.
    public var attributes: [XMLAttribute]
    /// Texts, elements and comments. No two texts stand beside each other in what was read.
    public var content: [XMLContent]

    /// - Parameters:
    ///   - name: with the prefix of its namespace
    ///   - attributes: in the order in which they are to be written
    ///   - content: likewise
    public init(_ name: String, attributes: [XMLAttribute] = [], content: [XMLContent] = []) {
        self.name = name
        self.attributes = attributes
        self.content = content
    }

    /// The value of an attribute, or nil.
    public func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// The elements that stand right inside, without texts and comments.
    public var elements: [XMLElement] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The text that stands right inside, without that of further elements.
    public var text: String {
        content.reduce(into: "") { text, part in
            if case .text(let more) = part { text += more }
        }
    }
}

/// What can stand in an element.
public enum XMLContent: Hashable, Sendable {
    /// Characters, with all references resolved.
    case text(String)
    case element(XMLElement)
    /// What somebody has written for people.
    case comment(String)
}

/// A name and what it says about its element.
public struct XMLAttribute: Hashable, Sendable {
    /// With the prefix of its namespace.
    public var name: String
    /// With all references resolved.
    public var value: String

    /// - Parameters:
    ///   - name: with the prefix of its namespace
    ///   - value: any characters that XML knows
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
