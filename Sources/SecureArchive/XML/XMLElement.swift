/// An element of an XML document: its name, its attributes and its content, all in their order.
public struct XMLElement: Hashable, Sendable {
    /// The name with the prefix of its namespace.
    public var name: String
    /// The attributes. No name occurs twice.
    public var attributes: [XMLAttribute]
    /// Texts, elements and comments. After reading, no two texts are beside each other.
    public var content: [XMLContent]

    /// - Parameters:
    ///   - name: with the prefix of its namespace
    ///   - attributes: in the order of writing
    ///   - content: in the order of writing
    public init(_ name: String, attributes: [XMLAttribute] = [], content: [XMLContent] = []) {
        self.name = name
        self.attributes = attributes
        self.content = content
    }

    /// The value of an attribute, or nil.
    public func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// The child elements, without texts and comments.
    public var elements: [XMLElement] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The text of this element, without that of child elements.
    public var text: String {
        content.reduce(into: "") { text, part in
            if case .text(let more) = part { text += more }
        }
    }
}

/// The content of an element.
public enum XMLContent: Hashable, Sendable {
    /// Characters, with all references resolved.
    case text(String)
    case element(XMLElement)
    /// A comment for people.
    case comment(String)
}

/// The name and the value of an attribute.
public struct XMLAttribute: Hashable, Sendable {
    /// The name with the prefix of its namespace.
    public var name: String
    /// The value, with all references resolved.
    public var value: String

    /// - Parameters:
    ///   - name: with the prefix of its namespace
    ///   - value: any characters that XML knows
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
