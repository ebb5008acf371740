package dev.stowage.cli;

import dev.stowage.cli.devices.DeviceList;
import dev.stowage.cli.report.ReportFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code stowage devices}: what memory this machine has. */
@Command(
    name = "devices",
    sortOptions = false,
    description = {
      "Lists the devices whose memory can be used, and why others are missing:",
      "the host, and what OpenCL and CUDA have."
    })
final class DevicesCommand implements Callable<Integer> {

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ReportFormat.ofDevices(format.isJson()).print(DeviceList.find(), out);
    out.flush();
    return ExitCode.DONE;
  }
}
