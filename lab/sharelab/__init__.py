"""The lab: real servers, a real wire and a real client kernel, on one machine."""
