import Testing

@testable import tictactoe

@Suite("Numbers of players")
struct NumberingTests {
    @Test("A player keeps its number while others come and go")
    func stays() {
        var people = Numbering<String>()
        for name in ["Ann", "Ben", "Cid"] { people.add(name) }
        people.remove("Ann")
        #expect(people.present == [2: "Ben", 3: "Cid"])
        people.add("Dan")
        #expect(people.present == [2: "Ben", 3: "Cid", 4: "Dan"])
        #expect(people.hasGone(1) && !people.hasGone(2) && !people.hasGone(5) && !people.hasGone(0))
        people.add("Ann")
        people.add("Ann")
        #expect(people.present == [1: "Ann", 2: "Ben", 3: "Cid", 4: "Dan"])
        people.remove("Eve")
        #expect(people.present.count == 4)
    }

    @Test("Numbers start at 1 again if they were not shown")
    func again() {
        var people = Numbering<String>()
        for name in ["Ann", "Ben", "Cid"] { people.add(name) }
        people.remove("Ann")
        people.renumber()
        #expect(people.present == [1: "Ben", 2: "Cid"] && !people.hasGone(3))
        people.add("Ann")
        #expect(people.present[3] == "Ann")
    }
}
