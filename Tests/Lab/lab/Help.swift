enum Help {
    static let text = """
        lab: several hosts on one machine, each with its own network, system bus and Avahi

        lab up [--hosts N] [--names A,B,C] [--name NAME]   start a lab; Ctrl-C ends it
        lab down | lab list | lab check                    end a lab; list labs; check that this machine can run one

        From another terminal; N is a host's number, and --name NAME names the lab if several run:
        lab run N -- COMMAND…                              run a program on a host; its exit code is lab's
        lab shell N                                        start a shell on a host
        lab cut N | plug N                                 pull the cable; plug it in again
        lab isolate N | rejoin N                           drop all frames while the cable stays in
        lab impair N [--loss PERCENT] [--delay 100ms] [--jitter 10ms] [--rate 100mbit] [--reorder] [--seed S]
        lab clear N                                        remove all impairments
        lab stop-avahi N | start-avahi N | restart-avahi N | kill-avahi N
        lab stop-bus N | start-bus N | restart-bus N
        lab measure N M                                    measure the cable between two hosts

        lab private -- COMMAND…                            run COMMAND on this machine, with a private Avahi if none
                                                           runs
        """
}
