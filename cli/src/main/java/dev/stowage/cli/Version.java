package dev.stowage.cli;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version =
        Version.class
            .getModule()
            .getDescriptor()
            .version()
            .map(Object::toString)
            .orElse("(not packaged)");
    return new String[] {"stowage " + version};
  }
}
