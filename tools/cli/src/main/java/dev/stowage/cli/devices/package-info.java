/**
 * The devices of this machine. {@link DeviceList} opens each one, and has the reason for those that
 * are missing.
 */
package dev.stowage.cli.devices;
