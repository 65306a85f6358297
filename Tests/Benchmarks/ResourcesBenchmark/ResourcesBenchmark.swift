/// Placeholder.
@main
struct ResourcesBenchmark {
    static func main() {}
}
