@main
enum TransportBenchmark {
    static func main() {}
}
