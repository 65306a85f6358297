public import SecureArchive

/// A scene as games store it in files: objects with their positions. Property lists, JSON and XML give the same model.
public struct Scene: StateModel {
    /// In the order of the file.
    public var nodes: [Node] = []

    /// An empty scene.
    public init() {}

    /// The file's key.
    public static let table = FieldTable<Scene>([.required("nodes", \.nodes, .list(of: .model()))])

    /// One object in a scene.
    public struct Node: StateModel {
        /// The kind of drawing.
        public enum Kind: String, CaseIterable, Sendable {
            /// A picture in a file.
            case spriteFile
            /// A shape of corners, filled with a picture.
            case texturedPolygon
            /// An area that is not drawn; its ``Node/meta`` tells its purpose.
            case rectangle
        }

        /// The kind of drawing.
        public var kind = Kind.spriteFile
        /// The picture.
        public var file: String?
        /// The position of its foot.
        public var position = Point()
        /// The size, if the file has one.
        public var size: Size?
        /// The factor to the size of its picture.
        public var scale = 1.0
        /// The nearness, if the file has one; see ``depth``.
        public var z: Double?
        /// Its corners.
        public var vertices: [Point] = []
        /// The data of a rectangle.
        public var meta: ArchiveValue?

        /// A sprite at the origin.
        public init() {}

        /// The file's keys.
        public static let table = FieldTable<Node>([
            .required("type", \.kind, .choice()),
            .optional("file", \.file, .text),
            .defaulting("position", \.position, .point),
            .optional("size", \.size, .size),
            .defaulting("scale", \.scale, .number),
            .optional("z", \.z, .number),
            .list("vertices", \.vertices, .point),
            .optional("meta", \.meta, .anything),
        ])

        /// The height of the screens for which such scenes were made.
        private static let screenHeight = 320.0

        /// The nearness to the viewer: ``z``, or a value that is larger for lower positions.
        public var depth: Double { z ?? Self.screenHeight - position.y }

        /// Nodes that can't be drawn.
        public var impossibilities: [StateError] {
            switch kind {
            case .spriteFile where file == nil: [StateError(.impossible, "a sprite without a file", at: "file")]
            case .texturedPolygon where vertices.count < 3:
                [StateError(.impossible, "a polygon with \(vertices.count) corners", at: "vertices")]
            default: []
            }
        }
    }

    /// A position.
    public struct Point: StateModel {
        /// From the left.
        public var x = 0.0
        /// From the bottom.
        public var y = 0.0

        /// The lower left corner.
        public init() {}

        /// - Parameters:
        ///   - x: from the left
        ///   - y: from the bottom
        public init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }

        /// The file's keys.
        public static let table = FieldTable<Point>([.required("x", \.x, .number), .required("y", \.y, .number)])
    }

    /// A size.
    public struct Size: StateModel {
        /// From left to right.
        public var width = 0.0
        /// From bottom to top.
        public var height = 0.0

        /// An empty size.
        public init() {}

        /// - Parameters:
        ///   - width: from left to right
        ///   - height: from bottom to top
        public init(_ width: Double, _ height: Double) {
            self.width = width
            self.height = height
        }

        /// The file's keys. Some games use the keys of a position for a size.
        public static let table = FieldTable<Size>([
            .required("width", \.width, .number, alsoCalled: ["x"]),
            .required("height", \.height, .number, alsoCalled: ["y"]),
        ])
    }
}

extension Field where Model == Scene.Node {
    /// A list that is omitted if it is empty.
    fileprivate static func list(
        _ key: String,
        _ path: any WritableKeyPath<Scene.Node, [Scene.Point]> & Sendable,
        _ form: FieldForm<Scene.Point>
    ) -> Field {
        let always = defaulting(key, path, .list(of: form))
        return Field(name: always.name, isRequired: false, archiveType: always.archiveType, read: always.read) {
            model,
            style,
            original in
            model[keyPath: path].isEmpty && original == nil ? nil : always.write(model, style, original)
        }
    }
}

extension FieldForm where Value == Scene.Point {
    fileprivate static var point: FieldForm { pair("point", Scene.Point.init) { [$0.x, $0.y] } }
}

extension FieldForm where Value == Scene.Size {
    fileprivate static var size: FieldForm { pair("size", Scene.Size.init) { [$0.width, $0.height] } }
}

extension FieldForm where Value: StateModel {
    /// Two numbers: `{x: 1, y: 2}`, or `[1, 2]` or the string `{1, 2}` by other writers. Writing keeps the form that
    /// was read.
    fileprivate static func pair(
        _ noun: String,
        _ make: @escaping @Sendable (Double, Double) -> Value,
        _ numbers: @escaping @Sendable (Value) -> [Double]
    ) -> FieldForm {
        let keyed = FieldForm.model()
        let number = FieldForm<Double>.number
        return FieldForm { value, reading in
            let read: [Double]?
            switch value.untagged {
            case .string(let text): read = spelled(text, noun, &reading)
            case .array(let elements): read = listed(elements, noun, &reading)
            default: return keyed.read(value, &reading)
            }
            return read.map { make($0[0], $0[1]) }
        } writeOver: { value, style, original in
            switch original?.untagged {
            case .string:
                let texts = numbers(value).map { Int(exactly: $0).map(String.init) ?? String($0) }
                return .string("{\(texts.joined(separator: ", "))}")
            case .array(let old):
                let written = zip(numbers(value), old).map { number.write($0, style, $1) }
                return (original ?? .null).saying(.array(written))
            default: return keyed.write(value, style, original)
            }
        }
    }

    private static func listed(
        _ elements: [ArchiveValue],
        _ noun: String,
        _ reading: inout ModelReading
    ) -> [Double]? {
        guard elements.count == 2 else {
            reading.fault(.wrongKind, "a \(noun) has two numbers, not \(elements.count)")
            return nil
        }
        let numbers = elements.enumerated().compactMap { index, element in
            reading.within(.index(index)) { FieldForm<Double>.number.read(element, &$0) }
        }
        return numbers.count == 2 ? numbers : nil
    }

    private static func spelled(_ text: String, _ noun: String, _ reading: inout ModelReading) -> [Double]? {
        let inside = text.hasPrefix("{") && text.hasSuffix("}") ? text.dropFirst().dropLast() : ""
        let numbers = inside.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
            .compactMap { Double($0) }
            .filter(\.isFinite)
        guard numbers.count == 2 else {
            reading.fault(.wrongKind, "as a string a \(noun) is “{1, 2}”")
            return nil
        }
        return numbers
    }
}
