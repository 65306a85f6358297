import Testing

/// Everything that runs in labs. One after the other: they measure time and share the machine's processors.
@Suite("Between hosts", .serialized)
enum LabSuites {}
