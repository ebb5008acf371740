/**
 * The devices of this machine. {@link DeviceList} opens each device, and has the reason if a device
 * is missing.
 */
package dev.stowage.cli.devices;
