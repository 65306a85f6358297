public import SecureArchive

/// The same model as XML: keys are elements or attributes, and every value is a text.
///
///     <scene>
///       <node><type>spriteFile</type><file>cactus.png</file><position x="12" y="34"/></node>
///     </scene>
extension Scene {
    /// Reads a scene from XML. The nodes are in the root or in an element `nodes`; the name of an element or an
    /// attribute is the key.
    public init(readingXML tree: XMLTree, _ strictness: Strictness = .exact) throws(ModelFaults) {
        var strictness = strictness
        // XML has only texts.
        strictness.readsNumbersInTexts = true
        let elements = tree.root.elements
        let hasNodes = tree.root.attribute("nodes") != nil || elements.contains { $0.name == "nodes" }
        let root: ArchiveFields =
            hasNodes || elements.isEmpty ? tree.root.fields : ["nodes": .array(elements.map(\.node))]
        try self.init(reading: .dictionary(root), strictness)
    }

    /// The scene as XML, with an element for each key. Refuses values that XML has no words for.
    public func xml() throws(ArchiveError) -> XMLTree {
        var content: [XMLContent] = []
        for (index, node) in nodes.enumerated() {
            let path = StatePath([.key("nodes"), .index(index)])
            content.append(.element(try node.tree().element("node", at: path)))
        }
        return XMLTree(XMLElement("scene", content: content))
    }
}

extension XMLElement {
    /// The names of the lists that are an element around others.
    private static let lists = ["nodes", "vertices"]

    /// Attributes and elements as keys. Several of one name are a list.
    fileprivate var fields: ArchiveFields {
        var fields = ArchiveFields()
        for attribute in attributes { fields[attribute.name] = .string(attribute.value) }
        // By position: the values so far of a name that occurs several times.
        var lists: [Int: [ArchiveValue]] = [:]
        for element in elements {
            let value = element.plainValue
            guard let place = fields.position(of: element.name) else {
                fields[element.name] = value
                continue
            }
            lists[place, default: [fields.values[place]]].append(value)
        }
        for (place, list) in lists { fields.update(at: place) { $0 = .array(list) } }
        return fields
    }

    private var plainValue: ArchiveValue {
        if Self.lists.contains(name) { return .array(elements.map { name == "nodes" ? $0.node : $0.plainValue }) }
        return attributes.isEmpty && elements.isEmpty ? .string(trimmedText) : .dictionary(fields)
    }

    /// A node; its kind may be its own name.
    fileprivate var node: ArchiveValue {
        var fields = fields
        if fields["type"] == nil, Scene.Node.Kind(rawValue: name) != nil { fields["type"] = .string(name) }
        return .dictionary(fields)
    }

    private var trimmedText: String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension ArchiveValue {
    /// An element with the same meaning, as texts.
    fileprivate func element(_ name: String, at path: StatePath) throws(ArchiveError) -> XMLElement {
        var element = XMLElement(name)
        switch untagged {
        case .dictionary(let fields):
            for (key, value) in fields {
                element.content.append(.element(try value.element(key, at: path.appending(.key(key)))))
            }
        case .array(let elements):
            let itemName = name == "vertices" ? "vertex" : "item"
            for (index, value) in elements.enumerated() {
                element.content.append(.element(try value.element(itemName, at: path.appending(.index(index)))))
            }
        case .string(let text): element.content = [.text(text)]
        case .integer(let integer): element.content = [.text(integer.description)]
        case .real(let real): element.content = [.text(String(real.value))]
        case .bool(let bool): element.content = [.text(String(bool))]
        case .date(let date): element.content = [.text(date.description)]
        case .null, .data, .reference, .tagged:
            throw ArchiveError(.inexpressible, "a scene in XML can't say \(kindInWords)", at: path.description)
        }
        return element
    }
}
