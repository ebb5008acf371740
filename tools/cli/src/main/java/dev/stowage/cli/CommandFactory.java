package dev.stowage.cli;

import dev.stowage.cli.command.BudgetCommand;
import dev.stowage.cli.command.CheckCommand;
import dev.stowage.cli.command.DiffCommand;
import dev.stowage.cli.command.ExplainCommand;
import dev.stowage.cli.command.PlanCommand;
import dev.stowage.cli.command.ReplayCommand;
import dev.stowage.cli.command.RewriteCommand;
import dev.stowage.cli.command.TuneCommand;
import dev.stowage.cli.command.VerifyCommand;
import dev.stowage.cli.command.WhoCommand;
import dev.stowage.cli.plan.Interruption;
import java.io.InputStream;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Creates the commands with the standard input and the signals of a run. */
final class CommandFactory implements CommandLine.IFactory {

  private final Map<Class<?>, Supplier<?>> commands;

  /** Creates commands that describe themselves, for picocli's generator of manual pages. */
  CommandFactory() {
    this(InputStream.nullInputStream(), new Interruption());
  }

  CommandFactory(InputStream in, Interruption interruption) {
    commands =
        Map.of(
            PlanCommand.class, () -> new PlanCommand(in, interruption),
            BudgetCommand.class, () -> new BudgetCommand(interruption),
            CheckCommand.class, () -> new CheckCommand(in, interruption),
            DiffCommand.class, () -> new DiffCommand(interruption),
            ExplainCommand.class, () -> new ExplainCommand(in, interruption),
            RewriteCommand.class, () -> new RewriteCommand(interruption),
            ReplayCommand.class, () -> new ReplayCommand(interruption),
            TuneCommand.class, () -> new TuneCommand(interruption),
            VerifyCommand.class, () -> new VerifyCommand(interruption),
            WhoCommand.class, () -> new WhoCommand(interruption));
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    Supplier<?> command = commands.get(type);
    return command == null ? CommandLine.defaultFactory().create(type) : type.cast(command.get());
  }
}
