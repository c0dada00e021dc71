package sandbox

import (
	"os/exec"
	"syscall"
)

// dieWithUs has the kernel ask for a fast shutdown when this process dies
// without having stopped its server, so that a killed demo leaves nothing running.
func dieWithUs(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGINT }
