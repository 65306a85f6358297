/// Goes over all there is in a piece of news, to write it or to read it: there is one list of what that is.
private protocol NewsVisitor {
    mutating func visit(_ key: String, _ text: inout String?) throws
    mutating func visit(_ key: String, _ flag: inout Bool?) throws
    mutating func visit<Number: FixedWidthInteger>(_ key: String, _ number: inout Number?) throws
    mutating func visit(_ key: String, _ texts: inout [String]?) throws
    mutating func visit(_ key: String, _ texts: inout [String: String]?) throws
    mutating func visit(_ key: String, _ numbers: inout [String: Int]?) throws
    mutating func visit(_ key: String, _ peer: inout PeerTag?) throws
}

extension SessionNews: JSONShape {
    package var fields: JSONFields {
        if let payload {
            var fields = payload.fields
            fields.set("event", event)
            fields.set("sentence", sentence)
            fields.set("trouble", isTrouble)
            return fields
        }
        var (writer, copy) = (NewsWriter(), self)
        writer.fields.set("event", event)
        // A writer refuses nothing.
        try? copy.visitAll(&writer)
        return writer.fields
    }

    /// Reads what another program has told.
    package init(_ fields: JSONFields) throws {
        let event = try fields.text("event") ?? ""
        if let payload = try DaemonEvent(event, fields) {
            self.init(payload, try fields.text("sentence"))
            isTrouble = try fields.flag("trouble")
            return
        }
        self.init(event, nil, nil)
        var reader = NewsReading(fields: fields)
        try visitAll(&reader)
    }

    private mutating func visitAll(_ visitor: inout some NewsVisitor) throws {
        try visitTexts(&visitor)
        try visitor.visit("peer", &peer)
        try visitor.visit("port", &port)
        try visitor.visit("bytes", &bytes)
        try visitor.visit("total", &total)
        try visitor.visit("number", &number)
        try visitor.visit("transfer", &transfer)
        try visitor.visit("time", &time)
        try visitor.visit("new", &isNew)
        try visitor.visit("trouble", &isTrouble)
        try visitor.visit("allows", &allows)
        try visitor.visit("details", &details)
        try visitor.visit("counts", &counts)
        try visitSaves(&visitor)
    }

    private mutating func visitSaves(_ visitor: inout some NewsVisitor) throws {
        try visitor.visit("set", &set)
        try visitor.visit("snapshot", &snapshot)
        try visitor.visit("state", &state)
        try visitor.visit("heads", &heads)
        try visitor.visit("sharers", &sharers)
        try visitor.visit("files", &files)
        try visitor.visit("needsCode", &needsCode)
    }

    private mutating func visitTexts(_ visitor: inout some NewsVisitor) throws {
        try visitor.visit("session", &session)
        try visitor.visit("invitation", &invitation)
        try visitor.visit("name", &name)
        try visitor.visit("code", &code)
        try visitor.visit("reason", &reason)
        try visitor.visit("because", &because)
        try visitor.visit("class", &errorClass)
        try visitor.visit("message", &message)
        try visitor.visit("next", &next)
        try visitor.visit("text", &text)
        try visitor.visit("base64", &base64)
        try visitor.visit("path", &path)
        try visitor.visit("kind", &kind)
        try visitor.visit("version", &version)
        try visitor.visit("sentence", &sentence)
    }
}

private struct NewsWriter: NewsVisitor {
    var fields = JSONFields()

    mutating func visit(_ key: String, _ text: inout String?) { fields.set(key, text) }

    mutating func visit(_ key: String, _ flag: inout Bool?) { fields.set(key, flag) }

    mutating func visit<Number: FixedWidthInteger>(_ key: String, _ number: inout Number?) {
        if let number { fields.set(key, number) }
    }

    mutating func visit(_ key: String, _ texts: inout [String]?) { fields.set(key, texts) }

    mutating func visit(_ key: String, _ texts: inout [String: String]?) {
        guard let texts else { return }
        var inner = JSONFields()
        for (key, text) in texts { inner.set(key, text) }
        fields.set(key, inner)
    }

    mutating func visit(_ key: String, _ numbers: inout [String: Int]?) {
        guard let numbers else { return }
        var inner = JSONFields()
        for (key, number) in numbers { inner.set(key, number) }
        fields.set(key, inner)
    }

    mutating func visit(_ key: String, _ peer: inout PeerTag?) {
        if let peer { fields.set(key, peer) }
    }
}

private struct NewsReading: NewsVisitor {
    let fields: JSONFields

    func visit(_ key: String, _ text: inout String?) throws { text = try fields.text(key) }

    func visit(_ key: String, _ flag: inout Bool?) throws { flag = try fields.flag(key) }

    func visit<Number: FixedWidthInteger>(_ key: String, _ number: inout Number?) throws {
        number = try fields.integer(key)
    }

    func visit(_ key: String, _ texts: inout [String]?) throws { texts = try fields.texts(key) }

    func visit(_ key: String, _ texts: inout [String: String]?) throws {
        guard let inner = try fields.object(key) else { return }
        texts = [:]
        for key in inner.keys { texts?[key] = try inner.text(key) }
    }

    func visit(_ key: String, _ numbers: inout [String: Int]?) throws {
        guard let inner = try fields.object(key) else { return }
        numbers = [:]
        for key in inner.keys { numbers?[key] = try inner.integer(key) }
    }

    func visit(_ key: String, _ peer: inout PeerTag?) throws {
        peer = try fields.peer(key)
    }
}
