enum Help {
    static let text = """
        lab: several real hosts on one machine, each with its own network, system bus and Avahi

        lab up [--hosts N] [--names A,B,C] [--name NAME]   bring a lab up; Ctrl-C takes it down
        lab down | lab list | lab check                    end it; see what runs; see whether this machine can

        From another terminal; N is a host's number, and --name NAME says which lab where several run:
        lab run N -- COMMAND…                              run a program on a host; its exit code is lab's
        lab shell N                                        a shell there
        lab cut N | mend N                                 pull the cable; put it back
        lab isolate N | rejoin N                           the cable stays in, but nothing passes
        lab impair N [--loss PERCENT] [--delay 100ms] [--jitter 10ms] [--rate 100mbit] [--reorder] [--seed S]
        lab clear N                                        a perfect line again
        lab stop-avahi N | start-avahi N | restart-avahi N | kill-avahi N
        lab stop-bus N | start-bus N | restart-bus N
        lab measure N M                                    what the line between two hosts does

        lab private -- COMMAND…                            run COMMAND on this machine, with an Avahi of its own where
                                                           none runs
        """
}
